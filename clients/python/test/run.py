"""Runs the tests of the given modules and prints each result as a line of JSON, for the runner of the repository."""

from __future__ import annotations

import json
import sys
import unittest
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))


class Lines(unittest.TestResult):
    """Prints results."""

    def _print(self, test: unittest.TestCase, failure: str | None) -> None:
        print(json.dumps({"name": name_of(test), "failure": failure}), flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        self._print(test, None)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        self._print(test, self._exc_info_to_string(err, test))  # type: ignore[attr-defined]

    addError = addFailure

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._print(subtest, self._exc_info_to_string(err, test))  # type: ignore[attr-defined]


def name_of(test: unittest.TestCase) -> str:
    """`test_lists.Lists.test_ends_at_the_limit` as `Lists: ends at the limit`."""
    *_, suite, method = test.id().split(".", 2)
    return f"{suite}: {method.removeprefix('test_').replace('_', ' ')}"


if __name__ == "__main__":
    unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:]).run(Lines())
