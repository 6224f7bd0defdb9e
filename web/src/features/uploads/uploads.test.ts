import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { audienceLine, audienceOf, audienceText, readAudience } from '../studio/audience/audience.ts';
import { fileFingerprint } from './file-fingerprint.ts';
import { refusedFile } from './not-a-video.ts';
import { isShort } from './recognise-short.ts';
import { kindOfFailure, retryDelayMs, uploadError } from './transfer-failure.ts';
import { remainingSeconds, TransferRate } from './transfer-rate.ts';
import type { UploadItem } from './upload-item.ts';
import { announcement, dockTitle, uploadText } from './upload-text.ts';

const ITEM: UploadItem = {
  id: '1',
  username: 'anna',
  channel: null,
  filename: 'sea.mp4',
  totalBytes: 40_000_000,
  fingerprint: '',
  title: 'The sea',
  kind: 'FEATURE',
  replaces: false,
  enhance: false,
  creationKey: '2',
  contentId: null,
  endpoint: null,
  phase: 'sending',
  sentBytes: 10_000_000,
  bytesPerSecond: null,
  error: null,
  otherFile: null,
  editing: false,
  content: null,
};

const content = (status: string, changes: object = {}) =>
  ({
    status,
    publishWhenReady: false,
    transcodeJob: null,
    metadata: { visibility: 'PRIVATE', releaseDate: null },
    ...changes,
  }) as UploadItem['content']; // the fields that the texts read

const job = (status: string, remainingMs: number | null = null) => ({
  transcodeJob: { status, progress: 40, remainingMs, error: null },
});

describe('the speed of a transfer', () => {
  it('is that of the last seconds', () => {
    const rate = new TransferRate();
    rate.add(0, 0);
    assert.equal(rate.bytesPerSecond(), null);
    rate.add(1_000_000, 500);
    assert.equal(rate.bytesPerSecond(), null);
    rate.add(4_000_000, 2_000);
    assert.equal(rate.bytesPerSecond(), 2_000_000);
    rate.add(5_000_000, 10_000);
    assert.equal(rate.bytesPerSecond(), null);
    rate.add(6_000_000, 12_000);
    assert.equal(rate.bytesPerSecond(), 500_000);
  });
  it('gives the remaining time, unless nothing moves', () => {
    assert.equal(remainingSeconds(30_000_000, 2_000_000), 15);
    assert.equal(remainingSeconds(30_000_000, 0), null);
    assert.equal(remainingSeconds(30_000_000, null), null);
  });
});

const FAILURES: readonly (readonly [string, number | null, boolean, string])[] = [
  ['a lost connection is tried again', null, true, 'retry'],
  ['a server that restarts is tried again', 503, true, 'retry'],
  ['another offset is asked for', 409, true, 'retry'],
  ['a locked upload is tried again', 423, true, 'retry'],
  ['too many requests are tried again', 429, true, 'retry'],
  ['an expired upload is over', 410, true, 'end'],
  ['too many bytes are over', 413, true, 'end'],
  ['a file that cannot be read is no lost connection', null, false, 'file'],
];
for (const [name, status, readable, kind] of FAILURES) {
  test(name, () => assert.equal(kindOfFailure(status, readable), kind));
}

test('attempts become rarer, down to one in 30 seconds', () =>
  assert.deepEqual([1, 2, 3, 5, 6, 20].map(retryDelayMs), [1_000, 2_000, 4_000, 16_000, 30_000, 30_000]));

test('the error of a response is kept, and one without is general', () => {
  const body = JSON.stringify({ errors: [{ message: 'Too large.', code: 'INVALID_INPUT', suggestedFix: 'Less.' }] });
  assert.deepEqual([uploadError(body).message, uploadError(body).suggestedFix], ['Too large.', 'Less.']);
  assert.equal(uploadError('<html>').message, 'The server did not accept the upload.');
});

test('portrait videos of at most three minutes are shorts', () => {
  const facts = (width: number, height: number, durationSeconds: number) => isShort({ width, height, durationSeconds });
  assert.deepEqual(
    [facts(1080, 1920, 180), facts(1080, 1920, 181), facts(1920, 1080, 10), facts(1080, 1080, 10), facts(0, 0, 10)],
    [true, false, false, false, false],
  );
});

test('a file has another fingerprint when its size or any sample differs', async () => {
  const bytes = new Uint8Array(300_000).fill(7);
  const file = (change?: (bytes: Uint8Array<ArrayBuffer>) => void, size = bytes.length) => {
    const copy = bytes.slice(0, size);
    change?.(copy);
    return fileFingerprint(new File([copy], 'a.mp4'));
  };
  const original = await file();
  assert.equal(await file(), original);
  for (const at of [0, 150_000, 299_999]) {
    assert.notEqual(await file((copy) => copy.set([8], at)), original);
  }
  assert.notEqual(await file(undefined, 299_999), original);
});

const TEXTS: readonly (readonly [string, Partial<UploadItem>, string])[] = [
  ['sending', {}, '10.0 MB of 40.0 MB'],
  ['sending fast', { bytesPerSecond: 1_000_000 }, '10.0 MB of 40.0 MB · 1.0 MB/s · about 30 seconds left'],
  ['offline', { phase: 'offline' }, 'No network. It continues by itself when the network returns.'],
  [
    'a file that has gone',
    { phase: 'file-changed' },
    'sea.mp4 was changed, moved or deleted on this device. Select it again to continue.',
  ],
  ['a file after a reload', { phase: 'file-needed' }, 'Select sea.mp4 again to continue.'],
  ['sent', { phase: 'sent', content: content('DRAFT') }, 'Uploaded. Processing starts soon.'],
  [
    'processing',
    { phase: 'sent', content: content('PROCESSING', job('TRANSCODING', 30_000)) },
    'Processing, about 30 seconds left',
  ],
  ['playable', { phase: 'sent', content: content('READY', job('TRANSCODING')) }, 'Playable. More qualities follow.'],
  ['ready', { phase: 'sent', content: content('READY', job('COMPLETE')) }, 'Ready'],
  ['published', { phase: 'sent', content: content('PUBLISHED', job('COMPLETE')) }, 'Ready'],
];
for (const [name, changes, text] of TEXTS) {
  test(`text: ${name}`, () => assert.equal(uploadText({ ...ITEM, ...changes }), text));
}

test('screen readers hear what matters, once', () => {
  const sent = { ...ITEM, phase: 'sent', content: content('DRAFT') } as const;
  const playable = { ...sent, content: content('READY') };
  assert.deepEqual(
    [announcement(null, ITEM), announcement(ITEM, { ...ITEM, sentBytes: 9 }), announcement(ITEM, sent)],
    [null, null, 'The sea is uploaded.'],
  );
  assert.equal(announcement(sent, playable), 'The sea is playable.');
  assert.equal(announcement(playable, { ...playable, content: content('PUBLISHED') }), null);
});

test('the heading counts what is left', () => {
  const other = { ...ITEM, id: '2' };
  assert.equal(dockTitle([ITEM]), 'Uploading');
  assert.equal(
    dockTitle([
      { ...ITEM, phase: 'paused' },
      { ...ITEM, phase: 'sent' },
    ]),
    'Paused',
  );
  assert.equal(dockTitle([{ ...ITEM, bytesPerSecond: 1_000_000 }, other]), 'Uploading 2 of 2, about 1 minute left');
  assert.equal(dockTitle([{ ...ITEM, phase: 'sent' }, other]), 'Uploading 1 of 2');
  assert.equal(
    dockTitle([
      { ...ITEM, phase: 'sent' },
      { ...other, phase: 'failed' },
    ]),
    '1 of 2 uploads failed',
  );
  assert.equal(dockTitle([{ ...ITEM, phase: 'sent' }]), '1 uploaded');
  assert.equal(
    dockTitle([
      { ...ITEM, phase: 'sent' },
      { ...other, phase: 'sent', content: content('FAILED') },
    ]),
    '1 of 2 uploads failed',
  );
});

test('files that are obviously no videos are refused before they are sent', () => {
  const refused = (name: string, type: string) => refusedFile({ name, type })?.message ?? null;
  assert.deepEqual(
    [refused('notes.txt', 'text/plain'), refused('scan', 'application/pdf'), refused('photo.JPG', '')],
    ['notes.txt is not a video.', 'scan is not a video.', 'photo.JPG is not a video.'],
  );
  for (const [name, type] of [
    ['sea.mp4', 'video/mp4'],
    ['tape.ts', 'text/vnd.trolltech.linguist'],
    ['dance.gif', 'image/gif'],
    ['song.mp3', 'audio/mpeg'],
    ['unknown.bin', ''],
  ] as const) {
    assert.equal(refused(name, type), null, name);
  }
});

test('what is not published is private, whatever its visibility will be', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const of = (status: 'DRAFT' | 'READY' | 'PUBLISHED', visibility: 'PUBLIC' | 'UNLISTED', changes: object = {}) => ({
    status,
    publishWhenReady: false,
    metadata: { visibility, releaseDate: null },
    ...changes,
  });
  const later = { metadata: { visibility: 'PUBLIC', releaseDate: '2026-05-11T12:00:00Z' } };
  assert.equal(audienceOf(of('READY', 'PUBLIC'), now), 'PRIVATE');
  assert.equal(audienceOf(of('PUBLISHED', 'UNLISTED'), now), 'UNLISTED');
  assert.equal(audienceOf(of('READY', 'PUBLIC', later), now), 'SCHEDULED');
  assert.equal(audienceOf(of('DRAFT', 'PUBLIC', { ...later, publishWhenReady: true }), now), 'SCHEDULED');
  assert.equal(audienceText(of('DRAFT', 'PUBLIC', { publishWhenReady: true }), now), 'Public when ready');
  assert.equal(audienceText(of('DRAFT', 'PUBLIC'), now), 'Draft');
  assert.equal(audienceText(of('READY', 'PUBLIC'), now), 'Private');
  assert.match(audienceLine(of('READY', 'PUBLIC', later), now), /^Scheduled for 1\d May 2026/);
  const hidden = { visibility: 'PRIVATE', releaseDate: '2026-05-11T12:00:00Z' } as const;
  assert.equal(audienceText({ ...of('READY', 'PUBLIC'), metadata: hidden }, now), 'Private');
});

test('a schedule needs a date in the future', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  const read = (audience: string, when: string) => {
    const data = new FormData();
    data.set('audience', audience);
    data.set('when', when);
    return readAudience(data, now);
  };
  assert.deepEqual(read('PUBLIC', '2026-05-09T12:00'), { audience: 'PUBLIC', releaseDate: null });
  assert.equal(read('SCHEDULED', '2026-05-12T12:00').audience, 'SCHEDULED');
  for (const when of ['2026-05-08T12:00', '', 'tomorrow']) {
    assert.throws(() => read('SCHEDULED', when), { message: 'Choose a date in the future.', field: 'releaseDate' });
  }
});
