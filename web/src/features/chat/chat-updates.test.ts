import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChatMessage, type ChatUpdate, type ChatView, withUpdate, writtenBy } from './chat-updates.ts';

const message = (id: string, second: number, body = id): ChatMessage => ({
  ...{ id, author: 'anna', isByMember: false, body },
  createdAt: `2026-11-20T12:00:0${second}.000Z`,
});
const update = (values: Partial<ChatUpdate>): ChatUpdate => ({
  ...{ version: 1, mode: 'EVERYONE', slowModeMs: 0, isOpen: true, isComplete: false, pinned: null },
  ...{ messages: [], removed: [] },
  ...values,
});
const idsOf = ({ messages }: ChatView) => messages.map(({ id }) => id);

describe('a chat with an update', () => {
  const begun = withUpdate(null, update({ isComplete: true, messages: [message('a', 1), message('b', 2)] }));

  it('begins with all of it', () => assert.deepEqual(idsOf(begun), ['a', 'b']));

  it('shows new messages, and takes away deleted ones', () => {
    const later = withUpdate(begun, update({ version: 4, messages: [message('c', 3)], removed: ['a'] }));
    assert.deepEqual([later.version, idsOf(later)], [4, ['b', 'c']]);
  });

  it('shows a message once, as it is now, and an approved one where it was written', () => {
    const later = withUpdate(begun, update({ messages: [message('b', 2, 'edited'), message('held', 1)] }));
    assert.deepEqual(
      later.messages.map(({ body }) => body),
      ['a', 'held', 'edited'],
    );
  });

  it('begins again where it was far behind', () => {
    assert.deepEqual(idsOf(withUpdate(begun, update({ isComplete: true, messages: [message('z', 9)] }))), ['z']);
  });

  it('keeps the last three hundred messages', () => {
    const many = Array.from({ length: 301 }, (_, index) => ({ ...message(`m${index}`, 9) }));
    const all = idsOf(withUpdate(begun, update({ messages: many })));
    assert.deepEqual([all.length, all[0], all.at(-1)], [300, 'm1', 'm300']);
  });
});

describe('a replay', () => {
  it('shows what has been written at a position', () => {
    const all = [0, 1_000, 2_000].map((positionMs) => ({ ...message(`at ${positionMs}`, 1), positionMs }));
    assert.deepEqual(
      writtenBy(all, 1_000).map(({ id }) => id),
      ['at 0', 'at 1000'],
    );
  });
});
