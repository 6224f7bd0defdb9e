import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ChatMessage, type ChatNews, type ChatView, withNews, writtenBy } from './chat-news.ts';

const message = (id: string, second: number, body = id): ChatMessage => ({
  ...{ id, author: 'anna', isByMember: false, body },
  createdAt: `2026-11-20T12:00:0${second}.000Z`,
});
const news = (values: Partial<ChatNews>): ChatNews => ({
  ...{ version: 1, mode: 'EVERYONE', slowModeMs: 0, isOpen: true, isComplete: false, pinned: null },
  ...{ messages: [], removed: [] },
  ...values,
});
const idsOf = ({ messages }: ChatView) => messages.map(({ id }) => id);

describe('a chat with its news', () => {
  const begun = withNews(null, news({ isComplete: true, messages: [message('a', 1), message('b', 2)] }));

  it('begins with all of it', () => assert.deepEqual(idsOf(begun), ['a', 'b']));

  it('shows new messages, and takes away deleted ones', () => {
    const later = withNews(begun, news({ version: 4, messages: [message('c', 3)], removed: ['a'] }));
    assert.deepEqual([later.version, idsOf(later)], [4, ['b', 'c']]);
  });

  it('shows a message once, as it is now, and an approved one where it was written', () => {
    const later = withNews(begun, news({ messages: [message('b', 2, 'edited'), message('held', 1)] }));
    assert.deepEqual(
      later.messages.map(({ body }) => body),
      ['a', 'held', 'edited'],
    );
  });

  it('begins again where it was far behind', () => {
    assert.deepEqual(idsOf(withNews(begun, news({ isComplete: true, messages: [message('z', 9)] }))), ['z']);
  });

  it('keeps the last three hundred messages', () => {
    const many = Array.from({ length: 301 }, (_, index) => ({ ...message(`m${index}`, 9) }));
    const all = idsOf(withNews(begun, news({ messages: many })));
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
