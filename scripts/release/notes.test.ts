import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseNotes } from './notes.ts';

const CHANGELOG =
  '# Changelog\n\nHead.\n\n## 1.1.0 (unreleased)\n\n* New.\n\n## 1.0.0 - 2026-01-31\n\n### Added\n\n* All.\n';

test('notes of a release are its section of the changelog', () => {
  assert.deepEqual(releaseNotes(CHANGELOG, '1.0.0'), { releasedOn: '2026-01-31', text: '### Added\n\n* All.' });
  assert.deepEqual(releaseNotes(CHANGELOG, '1.1.0'), { releasedOn: null, text: '* New.' });
});

test('a version without a heading, a date or text is refused', () => {
  assert.throws(() => releaseNotes(CHANGELOG, '1.0.1'), /needs a heading "## 1\.0\.1 - YYYY-MM-DD"/);
  assert.throws(() => releaseNotes('## 2.0.0\n\nText.\n', '2.0.0'), /needs a heading/);
  assert.throws(() => releaseNotes('## 2.0.0 - 2026-01-01\n', '2.0.0'), /says nothing about 2\.0\.0/);
});
