"""Runs every script of this folder and writes their tables into the README: `python -m tests.bench`, `make bench`.

Only the figures between the README's two marks are replaced.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
README = HERE.parent.parent / "README.md"
BEGIN, END = "<!-- figures: `make bench` writes what stands from here -->", "<!-- to here -->"


def measured(script: str) -> str:
    """What a script prints, which is shown meanwhile."""
    lines = []
    with subprocess.Popen([sys.executable, "-m", f"tests.bench.{script}"], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    if run.returncode:
        sys.exit(run.returncode)
    return "".join(lines).strip()


def main() -> None:
    """Measure everything, then write it down."""
    tables = [f"On {os.cpu_count()} cores with Python {platform.python_version()}."]
    for path in sorted(HERE.glob("[a-z]*.py")):
        print(f"\n### {path.stem}", flush=True)
        tables.append(measured(path.stem))
    before, rest = README.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    README.write_text(f"{before}{BEGIN}\n\n" + "\n\n".join(tables) + f"\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
