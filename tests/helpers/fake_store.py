"""A store of keys and values as torch.distributed's, without sockets."""


class FakeStore:
    """Keeps bytes by key; `fault` makes every call fail as when the first host is gone."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.fault = ""

    def set(self, key: str, value: str | bytes) -> None:
        """Set a value."""
        self._answer()
        self.values[key] = value.encode() if isinstance(value, str) else bytes(value)

    def get(self, key: str) -> bytes:
        """Return a value."""
        self._answer()
        return self.values[key]

    def check(self, keys: list[str]) -> bool:
        """Return whether all keys are there."""
        self._answer()
        return all(key in self.values for key in keys)

    def delete_key(self, key: str) -> bool:
        """Delete a key."""
        self._answer()
        return self.values.pop(key, None) is not None

    def _answer(self) -> None:
        if self.fault:
            raise RuntimeError(f"{self.fault}\nframe #0: elsewhere")
