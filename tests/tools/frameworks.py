"""Where tests find the Python of other frameworks (scripts/python-environment)."""

import os
import pathlib
import subprocess


def frameworks_python(root):
    """A Python with the frameworks; None where there is none."""
    named = os.environ.get("ACTFORGE_FRAMEWORKS_PYTHON")
    if named:
        return named
    found = subprocess.run([str(pathlib.Path(root, "scripts/python-environment")), "--find", "frameworks"], capture_output=True, text=True)
    lines = found.stdout.split()
    return lines[-1] if found.returncode == 0 and lines else None
