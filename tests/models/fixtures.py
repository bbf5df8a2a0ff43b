"""The back ends of a processor."""

from collections.abc import Iterator

import pytest

from attest.models.kernels import backends, library


@pytest.fixture(params=["native", "reference"])
def backend(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the back end that computes all of the test, each of the two in turn."""
    if request.param == "native" and library.compiler() is None:
        pytest.skip("there is no C++ compiler here")
    backends.use(request.param)
    yield request.param
    assert {*backends.used()} <= {request.param}
