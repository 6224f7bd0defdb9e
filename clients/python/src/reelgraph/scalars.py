"""Scalars of the schema that Python has no type of its own for."""

from __future__ import annotations

from typing import Any, TypeAlias

DID: TypeAlias = str
"""Identifies anything: `did:<namespace>:<type>/<id>`."""

JSON: TypeAlias = Any
"""Any JSON value."""
