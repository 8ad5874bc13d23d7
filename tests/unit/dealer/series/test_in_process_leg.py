"""What is known of a leg without a dealer while it is played."""

from dealer.series.in_process_leg import hands_counter


def test_hands_of_a_growing_log_are_counted(tmp_path):
    """As many as there are whenever somebody asks."""
    path = tmp_path / "A.B.0.0.log.part"
    path.write_text("# name/game/hands/seed A.B.0.0 kuhn.limit.2p.game 9 1\n")
    with path.open("rb") as log:
        count = hands_counter(log)
        for so_far in range(4):
            assert count() == count() == so_far
            with path.open("a") as file:
                file.write(f"STATE:{so_far}:cc:Ks|Qs:1|-1:A|B\n")
