import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoxBudget, boxesIn, Mp4Error } from './boxes.ts';
import { type Fragment, initSegment, mediaSegment, readFragment } from './fragment.ts';
import { parseMovie } from './movie.ts';
import { describeMovieFile, type SegmentedTrack } from './movie-file.ts';
import { readSampleEntries } from './sample-entry.ts';
import { readSampleIndex } from './sample-index.ts';

const TRACK = {
  ...{ id: 1, handler: 'vide', duration: null, language: null, matrix: [], edits: [], tables: new Map() },
  ...{ width: 0, height: 0 },
};
// The boxes of an initialization segment.
const ENTRY = { kind: 'dolby', codecs: 'ac-3', bytes: Buffer.from('\0\0\0\x08ac-3', 'latin1') } as const;
const init = (timescale: number, startTime: number): Buffer =>
  initSegment({
    ...{ track: { ...TRACK, timescale }, entry: ENTRY, startTime },
  });

const fragment = (
  decodeTime: number,
  durations: number[],
  sizes: number[],
  rest: Partial<Fragment> = {},
): Fragment => ({
  decodeTime,
  durations: Uint32Array.from(durations),
  sizes: Uint32Array.from(sizes),
  shifts: new Int32Array(sizes.length),
  sync: new Uint8Array(sizes.length).fill(1),
  ...rest,
});
const sound = (fragments: Fragment[], language: string | null = null): SegmentedTrack => ({
  ...{ kind: 'audio', init: init(48_000, 1024), language, fragments },
});
const picture = (fragments: Fragment[]): SegmentedTrack => ({
  ...{ kind: 'video', init: init(25_000, 2000), language: null, fragments },
});

/** The movie of a file, as a reader of files finds it. */
function read(tracks: SegmentedTrack[]) {
  const { head, parts } = describeMovieFile(tracks);
  const dataBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const end = { start: 0, end: head.length + dataBytes };
  const boxes = [...boxesIn(head, end, new BoxBudget())];
  const moov = boxes.find(({ type }) => type === 'moov') ?? assert.fail('no movie');
  const movie = parseMovie(head.subarray(moov.start, moov.end));
  const samples = movie.tracks.map((track) => readSampleIndex(movie, track, head.length + dataBytes));
  return { head, parts, boxes, movie, samples };
}

describe('a movie file', () => {
  it('has the samples of all segments, at their times and places', () => {
    const { head, parts, boxes, movie, samples } = read([
      picture([
        fragment(0, [1000, 1000, 1000], [10, 20, 30], {
          shifts: Int32Array.of(2000, 4000, 1000),
          sync: Uint8Array.of(1, 0, 0),
        }),
        fragment(3000, [1000, 1000], [40, 50], { shifts: Int32Array.of(2000, 2000), sync: Uint8Array.of(1, 0) }),
      ]),
      sound([fragment(0, [1024, 1024, 1024, 1024], [1, 2, 3, 4]), fragment(4096, [1024, 1024], [5, 6])], 'fra'),
    ]);
    assert.deepEqual(
      boxes.map(({ type }) => type),
      ['ftyp', 'moov', 'mdat'],
    );
    assert.deepEqual(parts, [
      { track: 0, segment: 0, bytes: 60 },
      { track: 1, segment: 0, bytes: 10 },
      { track: 1, segment: 1, bytes: 11 },
      { track: 0, segment: 1, bytes: 90 },
    ]);
    const at = head.length;
    const [video, audio] = samples;
    assert.deepEqual([...(video?.offsets ?? [])], [at, at + 10, at + 30, at + 81, at + 121]);
    assert.deepEqual([...(audio?.offsets ?? [])], [at + 60, at + 61, at + 63, at + 66, at + 70, at + 75]);
    assert.deepEqual([...(video?.decodeTimes ?? [])], [0, 1000, 2000, 3000, 4000, 5000]);
    assert.deepEqual([...(video?.shifts ?? [])], [2000, 4000, 1000, 2000, 2000]);
    assert.deepEqual([...(video?.sync ?? [])], [0, 3]);
    assert.deepEqual([audio?.shifts, audio?.sync], [null, null]);
    assert.deepEqual(
      movie.tracks.map(({ id, handler, language, duration, edits }) => ({ id, handler, language, duration, edits })),
      [
        // In units of the movie: 5 frames of 40 ms, of which the last ends 200 ms after the first begins.
        {
          ...{ id: 1, handler: 'vide', language: null, duration: 5000 },
          edits: [{ duration: 9600, mediaTime: 2000, rate: 1 }],
        },
        {
          ...{ id: 2, handler: 'soun', language: 'fra', duration: 6144 },
          edits: [{ duration: 5120, mediaTime: 1024, rate: 1 }],
        },
      ],
    );
    assert.equal(movie.timescale, 48_000);
    assert.equal(readSampleEntries(movie, movie.tracks[1] ?? assert.fail())[0]?.kind, 'dolby');
  });

  it('shows the last frame of a segment until the next segment begins', () => {
    const { samples } = read([picture([fragment(0, [1000], [10]), fragment(3000, [1000], [10])])]);
    assert.deepEqual([...(samples[0]?.decodeTimes ?? [])], [0, 3000, 4000]);
  });

  it('above 4 GiB has positions and a length of 64 bits', () => {
    const large = Array.from({ length: 3 }, (_, index) => fragment(1000 * index, [1000], [0x7000_0000]));
    const { head, movie, samples } = read([picture(large)]);
    assert.deepEqual(
      [...(samples[0]?.offsets ?? [])],
      [head.length, head.length + 0x7000_0000, head.length + 0xe000_0000],
    );
    assert.ok(movie.tracks[0]?.tables.has('co64'));
    assert.equal(head.readBigUInt64BE(head.length - 8), 0x1_5000_0010n);
    assert.equal(head.toString('latin1', head.length - 12, head.length - 8), 'mdat');
  });

  it('of half a day at 120000 units has times of 64 bits', () => {
    const { movie } = read([
      { ...picture([fragment(0, [0xffff_ffff], [10]), fragment(0xffff_ffff, [1000], [10])]), init: init(120_000, 0) },
    ]);
    assert.equal(movie.tracks[0]?.duration, 0xffff_ffff + 1000);
    assert.deepEqual(movie.tracks[0]?.edits, [{ duration: 0xffff_ffff + 1000, mediaTime: 0, rate: 1 }]);
  });

  it('delays a track that begins later than others', () => {
    const { movie, samples } = read([
      picture([fragment(1000, [1000, 1000], [1, 1])]),
      sound([fragment(0, [1024, 1024, 1024], [1, 1, 1])]),
    ]);
    assert.deepEqual(movie.tracks[0]?.edits[0], { duration: 1920, mediaTime: -1, rate: 1 });
    assert.deepEqual([...(samples[0]?.decodeTimes ?? [])], [0, 1000, 2000]);
    assert.equal(movie.tracks[1]?.edits.length, 1);
  });

  for (const [name, fragments] of [
    ['overlap', [fragment(0, [1000, 1000], [1, 1]), fragment(1000, [1000], [1])]],
    ['are empty', [fragment(0, [], [])]],
  ] as const)
    it(`of segments that ${name} is refused`, () => {
      assert.throws(() => describeMovieFile([picture([...fragments])]), Mp4Error);
    });

  it('is of segments as they are written', () => {
    const samples = {
      ...{ count: 3, offsets: new Float64Array(3), sizes: new Uint32Array(3), description: 1 },
      ...{ decodeTimes: Float64Array.of(90, 100, 110, 120), shifts: Int32Array.of(2, -1, 0), sync: Uint32Array.of(1) },
    };
    const data = [Buffer.alloc(5), Buffer.alloc(6), Buffer.alloc(7)];
    const segment = mediaSegment(samples, 0, data, 1);
    assert.deepEqual(
      readFragment(segment),
      fragment(90, [10, 10, 10], [5, 6, 7], { shifts: Int32Array.of(2, -1, 0), sync: Uint8Array.of(0, 1, 0) }),
    );
    assert.throws(() => readFragment(segment.subarray(0, 100)), Mp4Error);
    assert.throws(() => readFragment(Buffer.concat([Buffer.alloc(8), segment])), Mp4Error);
  });
});
