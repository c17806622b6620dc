"""What SwiftPM has built, with either of its build systems."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def built(package=ROOT):
    """The folder into which SwiftPM builds a package."""
    return Path(subprocess.check_output(["swift", "build", "--package-path", package, "--show-bin-path"], text=True).strip())


def program(package, product, *options):
    """A program of a package, which this builds; BUILT names the folder in which it is, if it is built already."""
    if "BUILT" in os.environ:
        return Path(os.environ["BUILT"]).resolve() / product
    build = ["swift", "build", "--package-path", package, "--product", product, *options]
    subprocess.run([*build, "--quiet"], check=True)
    return Path(subprocess.check_output([*build, "--show-bin-path"], text=True).strip()) / product


def modules(folder):
    """Where the modules are that were built into a folder."""
    return folder / "Modules" if (folder / "Modules").is_dir() else folder


def objects(folder, *targets):
    """The objects of some targets that were built into a folder: one per source, or with Swift Build one per target."""
    # A build of an older version may have left objects of sources that are gone.
    sources = {f"{path.name}.o" for place in ["Sources", "Tests"] for path in (ROOT / place).rglob("*.*")}
    found = []
    for target in targets:
        whole = folder / f"{target}.o"
        found += [whole] if whole.exists() else sorted(path for path in (folder / f"{target}.build").rglob("*.o") if path.name in sources)
    return found
