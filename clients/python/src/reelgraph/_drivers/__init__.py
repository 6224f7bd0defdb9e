"""Perform what the flows of _core request: one synchronous, one for asyncio."""
