"""Decides what to send, and when again, without sending anything: see flow.py."""
