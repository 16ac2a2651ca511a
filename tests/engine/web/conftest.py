"""What tests of judging in a browser share: the class of the tests of exchange, and the files of its assessors."""

from tests.engine.exchange.conftest import compared, files, project

__all__ = ["compared", "files", "project"]
