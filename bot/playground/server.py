"""The stand-in for Discord: one HTTP server on 127.0.0.1 with the API, the gateway, the files and the page.

playground = Playground(save_to=Path("data/playground.json"), on_reset=tables.forget_all)
await playground.start(8080)
with playground.discord():                  # discord.py now talks to it
    await client.start(playground.token)
await playground.stop()
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import io
import logging
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import cast

import discord
import yarl
from aiohttp import BodyPartReader, web
from PIL import Image

from bot.playground import limits, saving
from bot.playground.description import Description
from bot.playground.faults import Faults
from bot.playground.files import Addresses, Upload
from bot.playground.gateway import Gateway
from bot.playground.interactions import Interactions
from bot.playground.messages import Desk
from bot.playground.panes import Panes
from bot.playground.ready_made import ready_made
from bot.playground.rest import PREFIX, Rest
from bot.playground.world import Clock, Event, World

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
PAGE = Path(__file__).parent / "page"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
_AVATARS = ("#5865f2", "#757e8a", "#3ba55d", "#faa61a", "#ed4245", "#eb459e")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def _nothing() -> None:
    """No hook."""


class Playground:
    """The whole stand-in.

    `clock` gives the seconds since 1970 that deadlines, ids and addresses are made from. `save_to` is where the world
    is kept (None: only in memory). `on_reset` is awaited when somebody presses Reset, before the world is emptied.
    `describe` holds request bodies against Discord's OpenAPI description where that is there. `hosts` are further
    names it answers to, and `tls` makes it speak HTTPS: for tests that lead the real addresses here by a resolver.
    """

    def __init__(
        self,
        *,
        clock: Clock = time.time,
        save_to: Path | None = None,
        on_reset: Callable[[], Awaitable[None]] = _nothing,
        describe: bool = False,
        shards: int = 1,
        hosts: Sequence[str] = (),
        tls: ssl.SSLContext | None = None,
    ) -> None:
        saved = None if save_to is None else saving.load(save_to, clock)
        self.world: World = saved or ready_made(clock)
        self.on_reset = on_reset
        self.token = _token(self.world.state.bot_id)
        self.faults = Faults()
        self.gateway = Gateway(self.world, self.token, shards=shards)
        self.addresses = Addresses(self.world, "")
        self.world.address_of = self.addresses.make
        desk = Desk(self.world, self.addresses)
        self.interactions = Interactions(self.world, desk)
        self.interactions.deliver = self.gateway.deliver
        description = Description.load() if describe else None
        self.rest = Rest(self.world, self.gateway, self.interactions, desk, self.faults, description)
        self.panes = Panes(self.world, self.interactions, self.reset)
        self._keeper = None if save_to is None else saving.Keeper(self.world, save_to)
        self._hosts = set(hosts)
        self._tls = tls
        self._runner: web.AppRunner | None = None
        self._watching: asyncio.Task[None] | None = None
        self.url = ""

    # -- Starting and stopping --

    async def start(self, port: int = 0) -> None:
        """Listen on this port of 127.0.0.1 (0: any free one); `url` then says where. Raises OSError if it is taken."""
        app = web.Application(client_max_size=limits.REQUEST_BYTES, middlewares=[self._only_here])
        self.rest.add_to(app)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/page/socket", self.panes.serve)
        app.router.add_post("/page/upload", self._upload)
        app.router.add_get("/page/static/{path:.+}", self._static)
        app.router.add_get("/cdn/attachments/{channel_id}/{attachment_id}/{filename}", self._attachment)
        app.router.add_get("/cdn/embed/avatars/{number}.png", self._avatar)
        app.router.add_get("/", self._index)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, port, ssl_context=self._tls)
        await site.start()
        self._listen_at(cast(int, self._runner.addresses[0][1]))
        if self._keeper is not None:
            self._watching = asyncio.create_task(self._keeper.watch(), name="playground: saving")
        log.info("playground at %s", self.url)

    def _listen_at(self, port: int) -> None:
        secure = "s" if self._tls else ""
        self.url = f"http{secure}://{HOST}:{port}"
        self.addresses.base = self.url
        self.gateway.address = _gateway_at(self.url)
        self._hosts |= {f"{HOST}:{port}", f"localhost:{port}"}

    async def stop(self) -> None:
        """Close every connection, save the world."""
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching
        for pane in tuple(self.panes.open):
            await pane.socket.close(code=1001)
        for connection in tuple(self.gateway.connections):
            await connection.socket.close(code=1001)
        if self._runner is not None:
            await self._runner.cleanup()
        if self._keeper is not None:
            await self._keeper.save()

    def discord(self) -> contextlib.AbstractContextManager[None]:
        """Inside, discord.py talks to this server instead of Discord, in the whole process."""
        return discord_at(self.url)

    async def reset(self) -> None:
        """Begin anew: the hook, then no thread, message or reading mark is left.

        Direct conversations stay, emptied: Discord never deletes them, and discord.py remembers them.
        """
        await self.on_reset()
        for channel in [c for c in self.world.state.channels.values() if c.is_thread]:
            if channel.id in self.world.state.channels:
                self.world.delete_channel(channel)
        for messages in self.world.state.messages.values():
            for message in list(messages.values()):
                self.world.delete_message(message)
        self.world.state.read.clear()
        self.world.state.attachments.clear()
        self.world.files.clear()
        self.world.tell(Event("PAGE_RESET", {}))

    # -- Only for this machine --

    @web.middleware
    async def _only_here(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Refuse other hosts and pages of other origins: nothing on the web may drive what runs here."""
        origin = request.headers.get("Origin")
        if request.host not in self._hosts:
            raise web.HTTPForbidden(text="This server answers to 127.0.0.1 only.")
        if origin is not None and origin.split("://", 1)[-1] not in self._hosts:
            raise web.HTTPForbidden(text="Other origins are refused.")
        return await handler(request)

    # -- Page and files --

    async def _index(self, request: web.Request) -> web.StreamResponse:
        return self._page_file(PAGE / "index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        path = (PAGE / request.match_info["path"]).resolve()
        if not path.is_relative_to(PAGE.resolve()):
            raise web.HTTPNotFound
        return self._page_file(path)

    def _page_file(self, path: Path) -> web.Response:
        if not path.is_file():
            raise web.HTTPNotFound
        kind = _TYPES.get(path.suffix, "application/octet-stream")
        charset = None if kind == "application/octet-stream" else "utf-8"
        headers = {"Cache-Control": "no-cache", "Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff"}
        return web.Response(body=path.read_bytes(), content_type=kind, charset=charset, headers=headers)

    async def _upload(self, request: web.Request) -> web.Response:
        async for part in await request.multipart():
            if isinstance(part, BodyPartReader) and part.name == "file":
                content = bytes(await part.read())
                if len(content) > limits.FILE_BYTES:
                    raise web.HTTPRequestEntityTooLarge(limits.FILE_BYTES, len(content))
                upload = Upload(part.filename or "unknown", content)
                upload_id = self.interactions.upload(upload)
                return web.json_response({"id": upload_id, "filename": upload.filename, "size": len(content)})
        raise web.HTTPBadRequest(text="no file")

    async def _attachment(self, request: web.Request) -> web.Response:
        found = self.addresses.open(request.match_info["attachment_id"], request.query)
        if found is None:
            raise web.HTTPNotFound(text="This content is no longer available.")
        attachment, content = found
        shown = attachment.content_type.startswith("image/") and attachment.content_type != "image/svg+xml"
        kind = attachment.content_type if shown else "application/octet-stream"
        headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=3600"}
        return web.Response(body=content, content_type=kind, headers=headers)

    async def _avatar(self, request: web.Request) -> web.Response:
        number = request.match_info["number"]
        if not number.isdigit() or int(number) >= len(_AVATARS):
            raise web.HTTPNotFound
        picture = io.BytesIO()
        Image.new("RGB", (128, 128), _AVATARS[int(number)]).save(picture, "PNG")
        return web.Response(body=picture.getvalue(), content_type="image/png")


@contextlib.contextmanager
def discord_at(url: str) -> Iterator[None]:
    """Inside, discord.py talks to the stand-in at this address, which may run in another process."""
    route, gateway, asset = discord.http.Route, discord.gateway.DiscordWebSocket, discord.asset.Asset
    before = (route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE)
    route.BASE = url + PREFIX
    gateway.DEFAULT_GATEWAY = yarl.URL(_gateway_at(url))
    asset.BASE = url + "/cdn"
    try:
        yield
    finally:
        route.BASE, gateway.DEFAULT_GATEWAY, asset.BASE = before


def _gateway_at(url: str) -> str:
    return f"{url.replace('http', 'ws', 1)}/gateway"


def _token(bot_id: str) -> str:
    """A token of the right shape that opens nothing but this server."""
    first = base64.urlsafe_b64encode(bot_id.encode()).decode().rstrip("=")
    return f"{first}.{secrets.token_urlsafe(5)[:6]}.{secrets.token_urlsafe(30)[:38]}"
