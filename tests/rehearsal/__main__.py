"""Rehearse full corpora: `make rehearsal`, or SHARE=0.01 for a hundredth. It needs 8 GB of disk, and removes them."""

import sys
import tempfile
import time
from pathlib import Path

from rehearsal.corpora import write_corpora
from rehearsal.measures import rehearse

RECORDS = Path(__file__).parents[2] / "results/records"


def main(share: float) -> int:
    """Write the files, print what each stage costs, and remove the files."""
    with tempfile.TemporaryDirectory(prefix="attest-rehearsal-") as name:
        home, began = Path(name), time.perf_counter()
        write_corpora(home / "data", share)
        size = sum(path.stat().st_size for path in home.rglob("*") if path.is_file())
        print(f"{size / 2**30:.2f} GiB of files, written in {time.perf_counter() - began:.0f} s", flush=True)
        for stage in rehearse(home, share, sorted(RECORDS.glob("*.json"))):
            print(stage.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
