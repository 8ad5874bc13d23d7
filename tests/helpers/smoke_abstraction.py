"""A card abstraction that is built in seconds."""

from engine.abstraction.building import CardConfig

SMOKE = CardConfig(
    flop=10, turn=12, river=14, flop_by="equity", turn_table=False, sample=300, seed=3
)
