"""Programs from Debian's packages that needn't be installed, so that no server starts on this computer."""

import subprocess
from pathlib import Path


def unpack(folder, *packages):
    """Unpacks the newest versions of packages into a folder."""
    loaded = Path(folder) / "packages"
    loaded.mkdir(parents=True)
    subprocess.run(["apt-get", "download", "-qq", *packages], cwd=loaded, check=True, stdout=subprocess.DEVNULL)
    for package in loaded.iterdir():
        subprocess.run(["dpkg", "-x", package, folder], check=True)
