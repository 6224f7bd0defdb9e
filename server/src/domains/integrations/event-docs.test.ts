import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { EVENT_TYPES } from '../../kernel/event-types.ts';

it('docs/events.md lists every type of event with its meaning, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/events.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| (.*) \|$/gm)].map(([, name, meaning]) => [name, meaning]);
  assert.deepEqual(Object.fromEntries(rows), EVENT_TYPES);
});
