import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { CardLog } from './card-log.ts';
import { CardVisibility, SEEN_AFTER_MS } from './card-visibility.ts';

function openLog() {
  let visits = 0;
  const newId = (): string => {
    visits += 1;
    return `visit ${visits}`;
  };
  const log = new CardLog({ newId, now: () => 1_000_000 });
  return {
    log,
    reported: () =>
      log.take(100).map(({ kind, contentId, sessionId, seq }) => `${kind} ${contentId}, ${sessionId}: ${seq}`),
  };
}

test('a card is reported once per visit, and a click only after its impression', () => {
  const { log, reported } = openLog();
  assert.deepEqual(
    [
      log.recordImpression('a'),
      log.recordImpression('a'),
      log.recordImpression('b'),
      log.recordClick('a'),
      log.recordClick('a'),
    ],
    [true, false, true, true, false],
  );
  assert.equal(log.recordClick('unseen'), false);
  log.visit();
  assert.equal(log.recordClick('a'), false);
  log.recordImpression('a');
  assert.deepEqual(reported(), [
    'IMPRESSION a, visit 1: 0',
    'IMPRESSION b, visit 1: 1',
    'CLICK a, visit 1: 2',
    'IMPRESSION a, visit 2: 0',
  ]);
  assert.deepEqual(reported(), []);
});

test('an impression names the variant of a test that the card showed, a click does not', () => {
  const { log } = openLog();
  log.recordImpression('a', 'variant b');
  log.recordClick('a');
  log.recordImpression('plain', null);
  assert.deepEqual(
    log.take(100).map((event) => [event.kind, event.variant, Object.hasOwn(event, 'variant')]),
    [
      ['IMPRESSION', 'variant b', true],
      ['CLICK', undefined, false],
      ['IMPRESSION', undefined, false],
    ],
  );
});

test('unsent events come first, and their number is limited', () => {
  const { log, reported } = openLog();
  log.recordImpression('a');
  const [first] = log.take(100);
  assert.ok(first);
  assert.deepEqual(
    { ...first },
    {
      kind: 'IMPRESSION',
      contentId: 'a',
      sessionId: 'visit 1',
      seq: 0,
      occurredAt: '1970-01-01T00:16:40.000Z',
      positionMs: 0,
    },
  );
  log.recordImpression('b');
  log.putBack([first]);
  assert.deepEqual(reported(), ['IMPRESSION a, visit 1: 0', 'IMPRESSION b, visit 1: 1']);
  log.putBack(Array.from({ length: 800 }, () => first));
  assert.equal(log.take(1_000).length, 500);
});

test('a card is seen after a second in the viewport of a visible page', (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const seen: string[] = [];
  const watch = new CardVisibility<object>((id) => seen.push(id), true);
  const [a, b, c] = [{}, {}, {}];
  for (const [target, id] of [
    [a, 'a'],
    [b, 'b'],
    [c, 'c'],
  ] as const) {
    watch.add(target, id);
    watch.inView(target, true);
  }
  mock.timers.tick(SEEN_AFTER_MS - 1);
  watch.inView(b, false);
  watch.remove(c);
  mock.timers.tick(1);
  assert.deepEqual(seen, ['a']);
  watch.inView(b, true);
  mock.timers.tick(SEEN_AFTER_MS / 2);
  watch.pageVisible(false);
  mock.timers.tick(10 * SEEN_AFTER_MS);
  watch.inView(b, true);
  mock.timers.tick(10 * SEEN_AFTER_MS);
  assert.deepEqual(seen, ['a']);
  watch.pageVisible(true);
  mock.timers.tick(SEEN_AFTER_MS);
  assert.deepEqual(seen, ['a', 'a', 'b']); // the log ignores the second a
});
