"""The real clients, each in a home of its own with a store, installed with the real `remember-me install`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.clients import CLIENTS, Client
from tests.e2e.model_server import ModelServer
from tests.e2e.product import PINNED, PROGRAM, Product
from tests.e2e.programs import find_program

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip by name before anything is set up."""
    for name in item.callspec.params.values() if hasattr(item, "callspec") else ():
        if name in CLIENTS and find_program(name) is None:
            pytest.skip(f"the client {name} is not here; `make e2e` installs it")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def product(home: Path) -> Product:
    """A store with one pinned preference."""
    if not PROGRAM.is_file():
        pytest.skip(f"{PROGRAM} is not installed")
    product = Product(home)
    product.add("--tag", "PREFERENCE", "--pin", PINNED)
    return product


@pytest.fixture
def make(server: ModelServer, product: Product, home: Path) -> Callable[[str], Client]:
    """Set up the client of that name and install the product into it."""

    def make(name: str) -> Client:
        project = home / "project"
        project.mkdir(exist_ok=True)
        client = CLIENTS[name](server, home, project, path=f"{product.bin}{os.pathsep}{os.environ['PATH']}")
        product.run("install", name)
        return client

    return make


@pytest.fixture(params=list(CLIENTS))
def client(request: pytest.FixtureRequest, make: Callable[[str], Client]) -> Client:
    return make(request.param)
