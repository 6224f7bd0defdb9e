import assert from 'node:assert/strict';
import { test } from 'node:test';
import { segmentTime, timelineOf } from './segment-times.ts';

/** As ffmpeg writes it: `styp`, then `sidx` of version 1 with one reference. */
const HEAD =
  '00000018737479706d736468000000006d7364686d7369780000003473696478' +
  '010000000000000100007530000000000001d538000000000000000000000001' +
  '000213490001d53880000000';

test('the time of a segment is read from its index', () => {
  const head = Buffer.from(HEAD, 'hex');
  assert.deepEqual(segmentTime(head), { timescale: 30_000, start: 120_120, duration: 120_120 });
});

test('an index with 32-bit times is read', () => {
  const head = Buffer.from(
    '0000002c73696478000000000000000100007530000000640000000000000001000213490001d53880000000',
    'hex',
  );
  assert.deepEqual(segmentTime(head), { timescale: 30_000, start: 100, duration: 120_120 });
});

const broken: [name: string, head: Buffer][] = [
  ['without an index', Buffer.from(HEAD, 'hex').subarray(0, 24)],
  ['whose index is cut off', Buffer.from(HEAD, 'hex').subarray(0, 60)],
  ['that is empty', Buffer.alloc(0)],
  ['that is anything', Buffer.alloc(512, 0xff)],
];
for (const [name, head] of broken)
  test(`a segment ${name} is an error`, () => assert.throws(() => segmentTime(head), { name: 'Mp4Error' }));

const at = (start: number, duration: number, timescale = 1000) => ({ timescale, start, duration });

test('each segment lasts until the next, the last as long as it says', () =>
  assert.deepEqual(timelineOf([at(0, 4100), at(4000, 3990), at(8000, 1234)]), {
    timescale: 1000,
    durations: [4000, 4000, 1234],
  }));

const impossible: [name: string, times: ReturnType<typeof at>[]][] = [
  ['nothing', []],
  ['a late start', [at(1000, 4000)]],
  ['time that stands still', [at(0, 4000), at(0, 4000)]],
  ['an empty end', [at(0, 4000), at(4000, 0)]],
  ['two time scales', [at(0, 4000), at(4000, 4000, 48_000)]],
  ['no time scale', [at(0, 4000, 0)]],
];
for (const [name, times] of impossible)
  test(`${name} is no timeline`, () => assert.throws(() => timelineOf(times), { name: 'Mp4Error' }));
