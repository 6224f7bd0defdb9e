import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasTrackingOptOut } from '../lib/report-events.ts';
import { PlaybackLog } from './playback-log.ts';

function open() {
  let now = 1_000_000;
  const log = new PlaybackLog({ contentId: 'c', sessionId: 's', now: () => now });
  return {
    log,
    wait: (ms: number) => (now += ms),
    reported: () => log.take(100).map(({ contentId: _, sessionId: __, occurredAt: ___, ...rest }) => rest),
  };
}

test('a playback starts with its startup time, and reports heartbeats', () => {
  const { log, wait, reported } = open();
  log.playRequested();
  wait(420);
  log.playing(0);
  log.progressed(9.5, 100);
  log.heartbeat();
  log.progressed(19.5, 100);
  log.heartbeat();
  assert.deepEqual(reported(), [
    { kind: 'START', seq: 0, positionMs: 0, startupMs: 420 },
    { kind: 'HEARTBEAT', seq: 1, positionMs: 9_500, ranges: [{ startMs: 0, endMs: 9_500 }] },
    { kind: 'HEARTBEAT', seq: 2, positionMs: 19_500, ranges: [{ startMs: 9_500, endMs: 19_500 }] },
  ]);
});

test('a seek closes the played range, so that nothing is skipped or counted twice', () => {
  const { log, reported } = open();
  log.playing(0);
  log.progressed(5, 100);
  log.seekStarted();
  log.seekEnded(2, true);
  log.progressed(4, 100);
  log.heartbeat();
  assert.deepEqual(
    reported().map(({ kind, ranges }) => [kind, ranges]),
    [
      ['START', undefined],
      ['SEEK', [{ startMs: 0, endMs: 5_000 }]],
      ['HEARTBEAT', [{ startMs: 2_000, endMs: 4_000 }]],
    ],
  );
});

test('stalls are reported with their duration, unless a seek is loading', () => {
  const { log, wait, reported } = open();
  log.playing(0);
  log.progressed(3, 100);
  log.stalled(false);
  wait(1_500);
  log.playing(3);
  log.seekStarted();
  log.stalled(true);
  wait(900);
  log.seekEnded(50, true);
  log.playing(50);
  assert.deepEqual(
    reported().map(({ kind, rebufferMs }) => [kind, rebufferMs]),
    [
      ['START', undefined],
      ['REBUFFER', 1_500],
      ['SEEK', undefined],
    ],
  );
});

test('quartiles, the end, pauses, quality changes and errors are reported once', () => {
  const { log, reported } = open();
  log.qualityChanged('360p', 0);
  log.playing(0);
  log.qualityChanged('360p', 0);
  log.qualityChanged('720p', 1);
  log.progressed(30, 100);
  log.paused(30);
  log.playing(30);
  log.progressed(100, 100);
  log.failed('network', 100);
  log.ended(100);
  log.heartbeat();
  assert.deepEqual(
    reported().map(({ kind, quartile, quality, errorCode }) => [kind, quartile ?? quality ?? errorCode ?? null]),
    [
      ['START', null],
      ['QUALITY_CHANGE', '720p'],
      ['QUARTILE', 1],
      ['PAUSE', null],
      ['QUARTILE', 2],
      ['QUARTILE', 3],
      ['ERROR', 'network'],
      ['COMPLETE', null],
    ],
  );
});

test('unsent events come first the next time', () => {
  const { log } = open();
  log.playing(0);
  log.paused(0);
  const [first] = log.take(1);
  assert.ok(first);
  log.putBack([first]);
  assert.deepEqual(
    log.take(10).map(({ seq }) => seq),
    [0, 1],
  );
});

test('browsers that opt out are not tracked', () => {
  assert.deepEqual(
    [{ doNotTrack: '1' }, { globalPrivacyControl: true }, { doNotTrack: '0' }, { doNotTrack: null }, {}].map(
      hasTrackingOptOut,
    ),
    [true, true, false, false, false],
  );
});
