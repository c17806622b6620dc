"""What the Swift compiler says of a source that imports modules which a package has built."""

import re
import subprocess


def typecheck(source, folder, built, *options):
    """Writes the source into a folder, and compiles it with the modules in a build folder. Answers the status and the messages."""
    # A package's own modules are visible under its name, which is that of its folder.
    name = re.search(r'"-package-name","([^"]+)"', (built.parent / "debug.yaml").read_text())[1]
    file = folder / "source.swift"
    file.write_text(source)
    command = ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", name, "-I", built / "Modules", *options, file]
    process = subprocess.run(command, capture_output=True, text=True)
    return process.returncode, process.stderr
