import type { LiveTrack } from './live-track.ts';

/** A part of the encoder's own pictures, as a fragment. */
export interface PicturePart {
  /** Number of its segment. */
  readonly segment: number;
  readonly bytes: Buffer;
  /** Whether it begins the segment. */
  readonly isFirst: boolean;
  /** When the segment began, Unix time in milliseconds; null where that is not known. */
  readonly segmentAtMs: number | null;
  /** Length of the segment, which it completes; null where other parts follow. */
  readonly completesSeconds: number | null;
}

/** What is known of the pictures of an encoder with the first segment. */
export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  /** Pictures in a second. */
  readonly frameRate: number;
}

/** Follows the pictures of a live stream. */
export interface PictureListener {
  /** The stream begins: before its first part. `newTrack` makes a playlist beside that of the pictures. */
  open(facts: PictureFacts, newTrack: () => LiveTrack): void;
  /** What follows does not continue what was before. Its initialization segment has this number. */
  begin(init: number, bytes: Buffer): void;
  part(part: PicturePart): void;
  /** The encoder is gone. */
  interrupt(): void;
  /** Nothing follows. */
  end(): void;
}
