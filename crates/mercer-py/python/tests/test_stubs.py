"""The type stubs say what the package does."""

import pathlib
import subprocess
import sys

import pytest

import mercer


def test_stubs_match_the_package(tmp_path):
    pytest.importorskip("mypy")
    config = pathlib.Path(__file__).resolve().parents[2] / "pyproject.toml"
    command = [sys.executable, "-m", "mypy.stubtest", "mercer", "--ignore-missing-stub"]
    done = subprocess.run(
        [*command, "--mypy-config-file", str(config)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout


def test_stub_file_and_marker_are_installed():
    folder = pathlib.Path(mercer.__file__).parent
    for name in ("py.typed", "__init__.pyi", "_estimators.pyi", "bounds.pyi", "kernels.pyi", "_mercer.pyi"):
        assert (folder / name).exists(), name
