"""The catalog that the app reads, as far as the server needs it, and the folder with the files that it names."""

import json
import sys
from pathlib import Path
from typing import Any

import cattrs
from attrs import frozen


@frozen
class File:
    path: str
    length: int
    sha256: str


@frozen
class Item:
    id: str
    kind: str
    product: str | None = None
    free: Any = None  # As a `bool`, any text would be true.
    days: int = 0
    files: list[File] = []


class Catalog:
    """A catalog that may change at any time. While it isn't valid, the last one is used."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder.resolve(strict=True)
        self.changed, self.items = path.stat().st_mtime_ns, self.read()

    def read(self) -> dict[str, Item]:
        text = self.path.read_bytes()
        try:
            items = cattrs.structure(json.loads(text)["items"], list[Item])
        except Exception as error:
            raise ValueError(f"{self.path}: {'; '.join(cattrs.transform_error(error))}") from error
        return {item.id: item for item in reversed(items)}  # As in the app, the first of two counts.

    def item(self, name: str) -> Item | None:
        try:
            if (changed := self.path.stat().st_mtime_ns) != self.changed:
                self.changed, self.items = changed, self.read()
        except (OSError, ValueError) as error:
            print(f"contentserver: the last catalog is used: {error}", file=sys.stderr)
        return self.items.get(name)

    def file(self, item: str, path: str, length: int) -> Path | None:
        """Finds a file where `referral-tool catalog --files` does. Links can't lead out of the folder."""
        for place in (self.folder / item / path, self.folder / path):
            if place.is_file() and place.stat().st_size == length and place.resolve().is_relative_to(self.folder):
                return place
        return None
