"""The server's numbers in Prometheus' text form (version 0.0.4)."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState


def metrics_text(state: HubState) -> str:
    """Return all metrics."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = usage.ru_utime + usage.ru_stime
    files = len(os.listdir("/proc/self/fd"))
    states = state.store.match_counts()
    metrics = (
        ("arena_matches_running", "gauge", "matches being played", len(state.running)),
        ("arena_requests_waiting", "gauge", "of bots that are there", len(state.waiting())),
        ("arena_hands_total", "counter", "of matches that are over", state.store.hands_played()),
        ("process_cpu_seconds_total", "counter", "of the server alone", seconds),
        ("process_open_fds", "gauge", "of the server alone", files),
        ("process_resident_memory_bytes", "gauge", "of the server alone", _resident_bytes()),
    )
    lines = [line for metric in metrics for line in _metric(*metric)]
    lines += [
        "# HELP arena_matches_total matches by how they ended",
        "# TYPE arena_matches_total counter",
        *(f'arena_matches_total{{state="{state}"}} {count}' for state, count in states.items()),
    ]
    return "\n".join(lines) + "\n"


def _metric(name: str, kind: str, meaning: str, value: float) -> list[str]:
    return [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}", f"{name} {value:.12g}"]


def _resident_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
