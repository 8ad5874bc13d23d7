"""The board as files: what any web server may show of matches."""

from dealer.hub.public_files import PublicFiles
from dealer.web.http_responses import Response
from protocol.deals import DealsProof, format_proof
from tests.helpers.fake_server import end_of, serving


async def test_logs_come_with_their_proof_when_the_match_is_over(tmp_path):
    """Before, neither they nor secret and key are in any file."""
    folder = tmp_path / "public"
    async with serving(tmp_path) as server:
        files = PublicFiles(server.hub.state, {"": Response(b"board")}, folder)
        server.ask(pairs=False)
        await server.until("seat")
        await files.update()
        proof = DealsProof(server.store.match(1).secret, "w")
        written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert proof.commitment.encode() in written
        for secret in (proof.secret.hex(), proof.key.hex(), str(proof.number), "# leg"):
            assert secret.encode() not in written
        server.hub.hear(end_of("1.0"))
        await server.until("ended")
        await files.update()
        log = folder / "logs" / "1.0.log"
        assert log.read_text() == f"# leg 1.0\n{format_proof(proof)}\n"
