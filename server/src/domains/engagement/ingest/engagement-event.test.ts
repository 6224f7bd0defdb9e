import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { readEngagementEvent } from './engagement-event.ts';

const SESSION = '0f3d2f7e-6d1c-4a9b-8a57-4d0f1c3f7a10';
const event = (sessionId: unknown) => ({
  kind: 'PAUSE',
  contentId: 'did:reelgraph:content/feature/01a1fbd9-f9ef-7000-a2d5-0118192635b4',
  sessionId,
  seq: 0,
  occurredAt: '2026-11-20T10:00:00.000Z',
  positionMs: 0,
});
const read = (sessionId: unknown) => readEngagementEvent(event(sessionId), 'reelgraph', { list: 'events', index: 3 });

// The first in this process: nothing is cached.
describe('the sessionId of an event', () => {
  const refused: [string, unknown, string][] = [
    ['an empty text', '', 'INVALID_INPUT'],
    ['no text', 7, 'INVALID_INPUT'],
    ['a word', 'session', 'INVALID_INPUT'],
    ['null', null, 'FIELD_REQUIRED'],
    ['nothing', undefined, 'FIELD_REQUIRED'],
  ];
  for (const when of ['before any was read', 'after one was read']) {
    for (const [what, value, code] of refused) {
      it(`is refused when it is ${what}, ${when}`, () =>
        assert.throws(
          () => read(value),
          (error) => error instanceof AppError && error.code === code && error.field === 'events[3].sessionId',
        ));
    }
    it(`is a UUID in any case, ${when}`, () => assert.equal(read(SESSION.toUpperCase()).sessionId, SESSION));
  }
});
