"""ContentService: what packs hold, what graphs can be built of, and what is wrong with a pack."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from bridge.battles.battle_setup import check_inline_packs
from bridge.battles.packs import PackLibrary
from bridge.errors import invalid
from bridge.pb.gcs.v1 import content_pb2 as pb
from bridge.server.rpc import Context
from bridge.settings import ServerSettings
from bridge.wire.content import pack_of, problem_of
from runtime.content.problems import PackError
from runtime.graph.catalog import node_entry
from runtime.nodes import library
from runtime.packs import check_pack


class ContentService:
    """The methods of gcs.v1.ContentService."""

    def __init__(self, packs: PackLibrary, settings: ServerSettings) -> None:
        self._packs = packs
        self._settings = settings

    async def list_packs(self, request: pb.ListPacksRequest, context: Context) -> pb.ListPacksResponse:
        """Lists the packs."""
        return pb.ListPacksResponse(packs=await self._packs.apart(self._summaries, self._packs.ids()))

    async def get_pack(self, request: pb.GetPackRequest, context: Context) -> pb.GetPackResponse:
        """Tells what a pack holds."""
        return pack_of((await self._packs.fetch(request.pack)).content)

    async def get_catalog(self, request: pb.GetCatalogRequest, context: Context) -> pb.GetCatalogResponse:
        """Tells all nodes."""
        catalog = {"nodes": [node_entry(node) for node in library().values()]}
        return pb.GetCatalogResponse(catalog_json=msgspec.json.encode(catalog).decode())

    async def check(self, request: pb.CheckRequest, context: Context) -> pb.CheckResponse:
        """Checks a pack."""
        source = request.WhichOneof("pack_source")
        if source == "pack":
            problems = await self._packs.apart(self._packs.check, request.pack)
        elif source == "pack_json":
            check_inline_packs(self._settings)
            problems = (await self._packs.apart(check_pack, request.pack_json.encode())).problems
        else:
            raise invalid("pack", "the id of a pack, or pack_json")
        return pb.CheckResponse(problems=[problem_of(problem) for problem in problems])

    async def reload(self, request: pb.ReloadRequest, context: Context) -> pb.ReloadResponse:
        """Reads packs from disk anew."""
        return pb.ReloadResponse(packs=await self._packs.apart(self._reload, request.pack))

    def _reload(self, pack_id: str) -> list[pb.PackSummary]:
        return self._summaries(self._packs.reload(pack_id))

    def _summaries(self, pack_ids: Iterable[str]) -> list[pb.PackSummary]:
        return [self._summary(pack_id) for pack_id in pack_ids]

    def _summary(self, pack_id: str) -> pb.PackSummary:
        errors = sum(problem.severity == "error" for problem in self._packs.check(pack_id))
        summary = pb.PackSummary(id=pack_id, error_count=errors)
        try:
            loaded = self._packs.get(pack_id)
        except PackError:
            # It was never right: there is nothing but the count of its errors to tell.
            return summary
        if loaded is not None:
            info = loaded.content.pack.info
            summary.name = info.name
            summary.version = info.version
            summary.content_hash = loaded.content.hash
            summary.encounters.extend(loaded.content.pack.encounters)
        return summary
