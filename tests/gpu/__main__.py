"""Check everything that a GPU computes against double precision, and print what it takes: `make test-gpu`."""

import sys

import torch
from gpu.loop import check_loop
from gpu.values import LIMITS, compare_all


def main() -> int:
    """Print the errors of each encoder and the checks of the loop; return 1 if one fails."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        print(f"GPU: {torch.cuda.get_device_name()}, torch {torch.__version__}")
        torch.cuda.reset_peak_memory_stats()
    else:
        print(f"torch {torch.__version__} finds no GPU here: the fast path of the processor is checked in its place")
    print(f"{'encoder':<22}{'format':<8}{'value':>10}{'gradient':>10}  limit")
    failed = 0
    for result in compare_all(device):
        failed += not result.passed
        limit = f"{LIMITS[result.number_format]:g}{'' if result.passed else f'  FAILED, in {result.result}'}"
        errors = f"{result.value:>10.1e}{result.gradient:>10.1e}"
        print(f"{result.encoder:<22}{result.number_format:<8}{errors}  {limit}")
    for check in check_loop(device):
        failed += not check.passed
        print(f"{check.name:<22}{check.found}{'' if check.passed else '  FAILED'}")
    if device == "cuda":
        print(f"peak memory: {torch.cuda.max_memory_allocated() / 2**20:.0f} MiB")
    print(
        f"{failed} checks failed"
        if failed
        else "all encoders agree with double precision, and the loop is as it should be"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
