"""Files that travel: what is uploaded, what kind it is, and the addresses under which it can be fetched for a day."""

from __future__ import annotations

import hashlib
import hmac
import io
import mimetypes
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from PIL import Image, UnidentifiedImageError

from bot.playground import limits
from bot.playground.world import Attachment, World


@dataclass(frozen=True)
class Upload:
    """A file as it came with a request."""

    filename: str
    content: bytes


_UNSAFE = re.compile(r"[^\w.\-]+")


def keep(world: World, upload: Upload, channel_id: str, description: str | None = None) -> Attachment:
    """Put an uploaded file into the world. Names are made safe as Discord does; pictures get their size."""
    filename = _UNSAFE.sub("_", upload.filename.rsplit("/", 1)[-1]).strip("_") or "unknown"
    width, height = picture_size(upload.content)
    attachment = Attachment(
        id=world.new_id(),
        filename=filename,
        size=len(upload.content),
        channel_id=channel_id,
        content_type=mimetypes.guess_type(filename)[0] or "application/octet-stream",
        width=width,
        height=height,
        description=description,
    )
    world.state.attachments[attachment.id] = attachment
    world.files[attachment.id] = upload.content
    return attachment


def picture_size(content: bytes) -> tuple[int, int] | tuple[None, None]:
    """Width and height in pixels; nothing for what is no picture."""
    try:
        with Image.open(io.BytesIO(content)) as picture:
            return picture.size
    except UnidentifiedImageError:
        return None, None


class Addresses:
    """Makes and checks addresses of attachments: `/cdn/attachments/CHANNEL/ID/NAME?ex=…&is=…&hm=…`."""

    def __init__(self, world: World, base: str) -> None:
        self.world = world
        self.base = base
        self._secret = secrets.token_bytes(16)

    def make(self, attachment: Attachment) -> str:
        """An address that is good for a day."""
        now = int(self.world.clock())
        expires = now + int(limits.ADDRESS_SECONDS)
        path = f"/cdn/attachments/{attachment.channel_id}/{attachment.id}/{quote(attachment.filename)}"
        return f"{self.base}{path}?ex={expires:x}&is={now:x}&hm={self._seal(attachment.id, f'{expires:x}')}"

    def open(self, attachment_id: str, query: Mapping[str, str]) -> tuple[Attachment, bytes] | None:
        """The file behind an address; None when it is gone, has expired or was tampered with."""
        attachment = self.world.state.attachments.get(attachment_id)
        content = self.world.files.get(attachment_id)
        expires = query.get("ex", "")
        if attachment is None or content is None:
            return None
        if not hmac.compare_digest(self._seal(attachment_id, expires), query.get("hm", "")):
            return None
        return None if int(expires, 16) < self.world.clock() else (attachment, content)

    def attachment_of(self, url: str) -> Attachment | None:
        """The attachment an address of ours leads to."""
        if not url.startswith(f"{self.base}/cdn/attachments/"):
            return None
        parts = url.removeprefix(f"{self.base}/cdn/attachments/").split("?")[0].split("/")
        return self.world.state.attachments.get(parts[1]) if len(parts) == 3 else None

    def _seal(self, attachment_id: str, expires: str) -> str:
        return hmac.new(self._secret, f"{attachment_id}:{expires}".encode(), hashlib.sha256).hexdigest()
