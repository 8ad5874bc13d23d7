"""What is known of a leg without a dealer while it is played."""

import asyncio

from dealer.legs import in_process_leg
from dealer.legs.in_process_leg import counting


async def until(true):
    """Wait for it."""
    for _ in range(10_000):
        if true():
            return
        await asyncio.sleep(0.001)
    raise TimeoutError


def test_hands_of_a_growing_log_are_counted(tmp_path, monkeypatch):
    """Second by second, and no longer than the leg is played."""
    monkeypatch.setattr(in_process_leg, "_LOOK_SECONDS", 0.001)
    log = tmp_path / "A.B.0.0.log.part"
    log.write_text("# name/game/hands/seed A.B.0.0 kuhn.limit.2p.game 9 1\n")
    hands = {}

    async def play():
        async with counting(log, hands, "A.B.0.0"):
            assert hands == {"A.B.0.0": 0}
            for so_far in range(1, 4):
                with log.open("a") as file:
                    file.write(f"STATE:{so_far}:cc:Ks|Qs:1|-1:A|B\n")
                await until(lambda so_far=so_far: hands["A.B.0.0"] == so_far)
            assert hands == {"A.B.0.0": 3}

    asyncio.run(play())
    assert not hands
