import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { EVENT_TYPES, type EventType } from '../../../kernel/event-types.ts';
import { eventExamples } from './event-examples.ts';

it('docs/events.md lists exactly the event types, with description and payload', () => {
  const text = readFileSync(new URL('../../../../../docs/events.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([\w.]+)` \| (.*) \| (.*) ?\|$/gm)].map(([, name, meaning, payload = '']) => [
    name,
    { meaning, payload: payload.match(/\w+/g) ?? [] },
  ]);
  const known = Object.entries(eventExamples()).map(([name, { payload }]) => [
    name,
    { meaning: EVENT_TYPES[name as EventType], payload: Object.keys(payload) }, // the examples are by type
  ]);
  assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(known));
});
