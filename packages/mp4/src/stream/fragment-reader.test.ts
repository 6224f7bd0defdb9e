import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { box, fullBox, long } from '../box-writer.ts';
import { Mp4Error } from '../boxes.ts';
import { initSegment, streamFragment } from '../fragment.ts';
import { type FragmentedSample, type FragmentedTrack, FragmentReader } from './fragment-reader.ts';
import { aacStreamEntry } from './stream-entry.ts';

const ENTRY = aacStreamEntry(Buffer.from('1190', 'hex'));
const INIT = initSegment({ entry: ENTRY, startTime: 0, track: { timescale: 48_000 } });
const FIRST = streamFragment(
  [
    { data: Buffer.from('one'), duration: 1_024, shift: 0, isSync: true },
    { data: Buffer.from('three'), duration: 1_025, shift: -5, isSync: false },
  ],
  96_000,
  1,
);
const SECOND = streamFragment([{ data: Buffer.from('last'), duration: 10, shift: 0, isSync: true }], 2 ** 40, 2);

/** What is read of these pieces. */
function read(...pieces: readonly Buffer[]) {
  const tracks: FragmentedTrack[] = [];
  const samples: FragmentedSample[] = [];
  const reader = new FragmentReader({
    onTrack: (track) => tracks.push(track),
    onSample: (sample) => samples.push(sample),
  });
  for (const piece of pieces) reader.push(piece);
  return { tracks, samples: samples.map(({ data, ...rest }) => ({ ...rest, data: data.toString() })) };
}

const SAMPLES = [
  { track: 1, decodeTime: 96_000, duration: 1_024, shift: 0, isSync: true, data: 'one' },
  { track: 1, decodeTime: 97_024, duration: 1_025, shift: -5, isSync: false, data: 'three' },
  { track: 1, decodeTime: 2 ** 40, duration: 10, shift: 0, isSync: true, data: 'last' },
];

/** A fragment of two tracks that leaves durations, sizes and flags to defaults. */
function withDefaults(): Buffer {
  const extensions = [1, 2].map((id) => fullBox('trex', 0, 0, id, 1, 100 * id, 2, 0x10000));
  const movie = box('moov', box('mvex', ...extensions));
  const run = (offset: number, count: number) => fullBox('trun', 0, 0x1 | 0x4, count, offset, 0x02000000);
  const fragment = (offset: number): Buffer =>
    box(
      'moof',
      box('traf', fullBox('tfhd', 0, 0x20000, 1), fullBox('tfdt', 0, 0, 7), run(offset, 2)),
      // With a base, a description and a size of its own; its data follows that of the other track.
      box(
        'traf',
        fullBox('tfhd', 0, 0x1 | 0x2 | 0x10, 2, long(0), 1, 3),
        fullBox('tfdt', 1, 0, long(9)),
        fullBox('trun', 0, 0x100, 1, 55),
      ),
    );
  const head = fragment(0).length + 8;
  return Buffer.concat([movie, box('free'), fragment(head), box('mdat', Buffer.from('aabbccc'))]);
}

describe('a reader of fragments', () => {
  it('tells of tracks and samples', () => {
    const { tracks, samples } = read(INIT, FIRST, SECOND);
    assert.deepEqual(
      tracks.map(({ id, timescale, entry }) => [id, timescale, 'bytes' in entry && entry.bytes.equals(ENTRY.bytes)]),
      [[1, 48_000, true]],
    );
    assert.deepEqual(samples, SAMPLES);
  });

  it('takes bytes in pieces of any size', () => {
    const whole = Buffer.concat([INIT, FIRST, SECOND]);
    for (const size of [1, 7, whole.length]) {
      const pieces = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
      assert.deepEqual(read(...pieces).samples, SAMPLES);
    }
  });

  it('fills in what samples leave to the defaults of their track', () => {
    assert.deepEqual(read(withDefaults()).samples, [
      { track: 1, decodeTime: 7, duration: 100, shift: 0, isSync: true, data: 'aa' },
      { track: 1, decodeTime: 107, duration: 100, shift: 0, isSync: false, data: 'bb' },
      { track: 2, decodeTime: 9, duration: 55, shift: 0, isSync: false, data: 'ccc' },
    ]);
  });

  it('refuses what is malformed, and never fails otherwise', () => {
    assert.throws(() => read(Buffer.alloc(8)), new Mp4Error('A box has 0 bytes.'));
    const outside = Buffer.from(FIRST);
    outside.writeUInt32BE(9_999, 92); // the size of the first sample
    assert.throws(() => read(INIT, outside), new Mp4Error('A sample lies outside its fragment.'));
    const whole = Buffer.concat([INIT, FIRST]);
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = value;
        try {
          read(changed);
        } catch (error) {
          assert.ok(error instanceof Mp4Error, `${at} ${value}: ${error}`);
        }
      }
  });
});
