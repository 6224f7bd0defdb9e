import { box, fullBox, long, text, word } from './box-writer.ts';
import { BoxBudget, boxesIn, Mp4Error } from './boxes.ts';
import type { Fragment } from './fragment.ts';
import { parseMovie } from './movie.ts';
import { sampleTables } from './sample-tables.ts';
import { movieHeader, trackBox } from './track-box.ts';

/** A track whose samples are in media segments. */
export interface SegmentedTrack {
  readonly kind: 'video' | 'audio';
  /** The initialization segment. */
  readonly init: Buffer;
  /** Three letters of ISO 639-2; null where it is unknown. */
  readonly language: string | null;
  /** Of all segments, in their order. */
  readonly fragments: readonly Fragment[];
}

/** The samples of a segment. */
export interface MoviePart {
  /** Both from 0. */
  readonly track: number;
  readonly segment: number;
  readonly bytes: number;
}

/** A file without fragments. */
export interface MovieFile {
  /** What precedes the samples: the movie box, and the head of the box that holds them. */
  readonly head: Buffer;
  /** What follows. */
  readonly parts: readonly MoviePart[];
}

/** Major and compatible brands. */
const BRANDS = { video: ['isom', 'isomiso2avc1mp41'], audio: ['M4A ', 'M4A mp42isom'] } as const;
/** With more samples than this, positions take 64 bits: less than 4 GiB, to leave space for the movie box. */
const SMALL_BYTES = 0xf000_0000;

/**
 * Describes the file of tracks (ISO/IEC 14496-12 section 8): the movie box in front, so that it plays while it is
 * downloaded, then the samples of one segment of each track in turn. Times are those of the segments; edit lists put
 * the start of playback at 0. Pure.
 * @throws Mp4Error where segments do not follow each other.
 */
export function describeMovieFile(segmented: readonly SegmentedTrack[]): MovieFile {
  const tracks = segmented.map(readTrack);
  const parts = inTurn(tracks);
  const dataBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  const isLarge = dataBytes > SMALL_BYTES;
  const [brand, compatible] = BRANDS[tracks.some(({ kind }) => kind === 'video') ? 'video' : 'audio'];
  const type = box('ftyp', text(brand), 0x200, text(compatible));
  const data = dataHead(dataBytes, isLarge);
  const movie = (dataStart: number) => movieBox(tracks, positionsOf(parts, tracks.length, dataStart), isLarge);
  // Where the samples are does not change how long the movie box is.
  const dataStart = type.length + movie(0).length + data.length;
  return { head: Buffer.concat([type, movie(dataStart), data]), parts };
}

type Track = ReturnType<typeof readTrack>;

function readTrack({ kind, init, language, fragments }: SegmentedTrack) {
  const box = [...boxesIn(init, { start: 0, end: init.length }, new BoxBudget())].find(({ type }) => type === 'moov');
  const movie = box && parseMovie(init.subarray(box.start, box.end));
  const [track] = movie?.tracks ?? [];
  const description = track?.tables.get('stsd');
  if (!movie || !track || !description) throw new Mp4Error('The initialization segment has no track.');
  const startTime = track.edits.at(-1)?.mediaTime ?? 0;
  // A track that begins later than others is delayed.
  const delay = fragments[0]?.decodeTime ?? 0;
  const tables = sampleTables(fragments.map((each) => ({ ...each, decodeTime: each.decodeTime - delay })));
  return {
    ...{ kind, language, fragments, tables, startTime, delay },
    width: track.width,
    height: track.height,
    timescale: track.timescale,
    /** The whole box. */
    description: movie.bytes.subarray(description.start - 8, description.end),
    playedSeconds: (tables.endTime - startTime) / track.timescale,
  };
}

/** The segments of all tracks by when they begin. */
function inTurn(tracks: readonly Track[]): MoviePart[] {
  return tracks
    .flatMap(({ fragments, timescale }, track) =>
      fragments.map(({ decodeTime, sizes }, segment) => ({
        part: { track, segment, bytes: sizes.reduce((sum, size) => sum + size, 0) },
        startSeconds: decodeTime / timescale,
      })),
    )
    .sort((a, b) => a.startSeconds - b.startSeconds || a.part.track - b.part.track)
    .map(({ part }) => part);
}

/** Where the segments of each track begin in the file. */
function positionsOf(parts: readonly MoviePart[], tracks: number, dataStart: number): number[][] {
  const positions: number[][] = Array.from({ length: tracks }, () => []);
  let at = dataStart;
  for (const { track, bytes } of parts) {
    positions[track]?.push(at);
    at += bytes;
  }
  return positions;
}

function movieBox(tracks: readonly Track[], positions: readonly number[][], isLarge: boolean): Buffer {
  const timescale = Math.max(...tracks.map((track) => track.timescale));
  const edits = tracks.map(({ playedSeconds, startTime: mediaTime, ...track }) => ({
    duration: Math.ceil(playedSeconds * timescale - 1e-6),
    delay: Math.round((track.delay * timescale) / track.timescale),
    mediaTime,
  }));
  const boxes = tracks.map((track, index) =>
    trackBox({
      ...track,
      id: index + 1,
      media: { timescale: track.timescale, duration: track.tables.duration },
      edit: edits[index] ?? null,
      tables: [track.description, ...track.tables.boxes, chunkOffsets(positions[index] ?? [], isLarge)],
    }),
  );
  const duration = Math.max(...edits.map((edit) => edit.delay + edit.duration));
  return box('moov', movieHeader({ timescale, duration }, tracks.length + 1), ...boxes);
}

/** Section 8.7.5. */
function chunkOffsets(positions: readonly number[], isLarge: boolean): Buffer {
  if (!isLarge) return fullBox('stco', 0, 0, positions.length, ...positions);
  return fullBox('co64', 0, 0, positions.length, ...positions.map(long));
}

/** The head of a box (section 4.2) for so many bytes. */
function dataHead(dataBytes: number, isLarge: boolean): Buffer {
  return isLarge
    ? Buffer.concat([word(1), text('mdat'), long(dataBytes + 16)])
    : Buffer.concat([word(dataBytes + 8), text('mdat')]);
}
