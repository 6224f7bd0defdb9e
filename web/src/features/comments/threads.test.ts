import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeComments, type Thread, unseenComments } from './threads.ts';

function comment(id: string, threadId = id, replies = 0): Thread {
  return {
    id,
    threadId,
    body: id,
    createdAt: '2026-01-01T00:00:00Z',
    editedAt: null,
    depth: id === threadId ? 0 : 1,
    status: 'PUBLISHED',
    heldFor: null,
    isPinned: false,
    isHearted: false,
    author: null,
    parent: null,
    mentions: [],
    likes: { count: 0, isLiked: false },
    thread: { totalCount: replies },
  };
}

const idsOf = (threads: readonly { readonly id: string }[]): string => threads.map(({ id }) => id).join(' ');

test('new threads come first, newest first, and replies go into their threads', () => {
  const threads = [comment('a', 'a', 2), comment('b')];
  const all = mergeComments(threads, [comment('c', 'c', 1), comment('x', 'a'), comment('d'), comment('y', 'c')]);
  assert.equal(idsOf(all), 'd c a b');
  assert.deepEqual(
    all.map(({ thread, arrived = [] }) => [thread.totalCount, idsOf(arrived)]),
    [
      [0, ''],
      [1, 'y'],
      [3, 'x'],
      [0, ''],
    ],
  );
});

test('known comments are not added twice', () => {
  const once = mergeComments([comment('a')], [comment('x', 'a'), comment('b')]);
  assert.deepEqual(mergeComments(once, [comment('x', 'a'), comment('b')]), once);
});

test('unseen comments are those not shown yet whose thread is loaded; replies to threads on later pages are left out', () => {
  const threads = mergeComments([comment('a')], [comment('x', 'a')]);
  assert.equal(
    idsOf(unseenComments(threads, [comment('a'), comment('x', 'a'), comment('y', 'a'), comment('z', 'q')])),
    'y',
  );
  assert.equal(idsOf(unseenComments(threads, [comment('q'), comment('z', 'q')])), 'q z');
});
