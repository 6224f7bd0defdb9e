import { box, fullBox, long, text, word } from './box-writer.ts';

/** Units per second, and how many of them. */
export interface Extent {
  readonly timescale: number;
  /** 0 where samples are in fragments. */
  readonly duration: number;
}

/** Which part of a track is played. */
export interface TrackEdit {
  /** In units of the movie. */
  readonly duration: number;
  readonly mediaTime: number;
  /** Nothing is played before it (section 8.6.6.1, an empty edit), in units of the movie; default 0. */
  readonly delay?: number;
}

/** A track as a movie box describes it. */
export interface TrackDescription {
  /** From 1. */
  readonly id: number;
  readonly kind: 'video' | 'audio';
  /** As displayed, 16.16 fixed point; 0 for audio. */
  readonly width: number;
  readonly height: number;
  /** Three letters of ISO 639-2/T; null where it is undetermined. */
  readonly language: string | null;
  readonly media: Extent;
  /** Which part of the track is played; null for all of it. */
  readonly edit: TrackEdit | null;
  /** The boxes of the sample table. */
  readonly tables: readonly Buffer[];
}

const IDENTITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

/** The header of a movie (ISO/IEC 14496-12 section 8.2.2), without dates. */
export function movieHeader({ timescale, duration }: Extent, nextTrackId: number): Buffer {
  const { version, number } = numbersFor(duration);
  return fullBox(
    'mvhd',
    version,
    0,
    ...[number(0), number(0), timescale, number(duration)],
    ...[0x10000, 0x01000000, 0, 0, ...IDENTITY, 0, 0, 0, 0, 0, 0, nextTrackId],
  );
}

/** A track (section 8.3.1), without names or dates. */
export function trackBox({ id, kind, width, height, language, media, edit, tables }: TrackDescription): Buffer {
  const video = kind === 'video';
  const { duration = 0, delay = 0 } = edit ?? {};
  const { version, number } = numbersFor(delay + duration);
  const header = fullBox(
    'tkhd',
    version,
    3, // enabled, in the movie
    ...[number(0), number(0), id, 0, number(delay + duration)],
    ...[0, 0, 0, video ? 0 : 0x01000000],
    ...IDENTITY,
    ...[width, height],
  );
  const empty = delay > 0 ? [number(delay), Buffer.alloc(version === 0 ? 4 : 8, 0xff), 0x10000] : [];
  const entries = delay > 0 ? 2 : 1;
  const edits = edit
    ? [box('edts', fullBox('elst', version, 0, entries, ...empty, number(duration), number(edit.mediaTime), 0x10000))]
    : [];
  return box(
    'trak',
    header,
    ...edits,
    box(
      'mdia',
      mediaHeader(media, language),
      fullBox('hdlr', 0, 0, 0, text(video ? 'vide' : 'soun'), 0, 0, 0, Buffer.alloc(1)),
      box(
        'minf',
        video ? fullBox('vmhd', 0, 1, 0, 0) : fullBox('smhd', 0, 0, 0),
        box('dinf', fullBox('dref', 0, 0, 1, fullBox('url ', 0, 1))),
        box('stbl', ...tables),
      ),
    ),
  );
}

function mediaHeader({ timescale, duration }: Extent, language: string | null): Buffer {
  const { version, number } = numbersFor(duration);
  const packed = packedLanguage(language) * 0x10000;
  return fullBox('mdhd', version, 0, number(0), number(0), timescale, number(duration), packed);
}

/** Version 1 of a box has 64 bits for its times. */
function numbersFor(largest: number): { version: 0 | 1; number: (value: number) => Buffer } {
  return largest > 0xffff_ffff ? { version: 1, number: long } : { version: 0, number: word };
}

/** Three letters of five bits each, counted from 0x60 (section 8.4.2.3). */
function packedLanguage(language: string | null): number {
  const letters = language !== null && /^[a-z]{3}$/.test(language) ? language : 'und';
  return [...letters].reduce((packed, letter) => packed * 32 + letter.charCodeAt(0) - 0x60, 0);
}
