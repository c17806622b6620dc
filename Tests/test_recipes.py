"""Compiles the Swift of the recipes, and runs their commands and reads their catalogs with the built command."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from test_invite_article import ROOT, compile

TOOL = Path(os.environ["REFERRAL_TOOL"]).absolute()
RECIPES = sorted(ROOT.glob("Sources/*/Documentation.docc/Recipe*.md"))


def blocks(recipe, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", recipe.read_text(), re.MULTILINE | re.DOTALL)


def test_there_are_three():
    assert [recipe.stem for recipe in RECIPES] == ["RecipeACampaign", "RecipeInviteAFriend", "RecipeSellSomething"]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_its_swift_compiles(recipe, tmp_path):
    [source] = blocks(recipe, "swift")
    compile([source], tmp_path)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.stem)
def test_its_catalog_and_its_commands_are_right(recipe, tmp_path):
    for catalog in blocks(recipe, "json"):
        (tmp_path / "catalog.json").write_text(catalog)
        read = subprocess.run([TOOL, "catalog", "catalog.json"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "note:" not in read.stdout + read.stderr
    (tmp_path / "web").symlink_to(ROOT / "web")
    for command in "".join(blocks(recipe, "sh")).splitlines():
        command = command.replace("swift run referral-tool", str(TOOL))
        subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)
