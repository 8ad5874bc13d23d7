"""The version of the program."""


def program_version() -> str:
    """Return the installed version of this program."""
    from importlib import metadata  # here, because it takes longer than `arena --help`

    try:
        return metadata.version("acpc-arena")
    except metadata.PackageNotFoundError:
        return "(not installed)"
