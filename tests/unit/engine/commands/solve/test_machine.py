"""What the machine has."""

from engine.commands.solve.machine import free_memory, machine_memory


def test_free_memory_is_what_machine_and_container_leave(tmp_path):
    """The smaller of both; all, where neither tells."""
    facts, group = tmp_path / "meminfo", tmp_path
    assert free_memory(facts, group) == machine_memory()
    facts.write_text("MemTotal: 100 kB\nMemAvailable: 60 kB\n")
    assert free_memory(facts, group) == 60 * 1024
    (group / "memory.current").write_text("1000\n")
    (group / "memory.max").write_text("max\n")
    assert free_memory(facts, group) == 60 * 1024
    (group / "memory.max").write_text("5000\n")
    assert free_memory(facts, group) == 4000
