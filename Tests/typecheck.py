"""What the Swift compiler says of a source that imports modules which a package has built."""

import re
import subprocess

from built import built, modules


def typecheck(source, folder, package, *options):
    """Writes the source into a folder, and compiles it with the modules of a package. Answers the status and the messages."""
    # What is visible in a package alone is visible under its name, which SwiftPM makes of its folder's.
    name = re.sub(r"\W|^(?=\d)", "_", package.name.lower())
    file = folder / "source.swift"
    file.write_text(source)
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", name, "-I", modules(built(package)), *options, file]
    process = subprocess.run(command, capture_output=True, text=True)
    return process.returncode, process.stderr
