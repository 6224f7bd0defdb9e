/** A part that has arrived, of what an encoder sends. */
export interface ArrivedPart {
  /** Number of its segment. */
  readonly number: number;
  /** Number of its initialization segment. */
  readonly init: number;
  /** Whether its segment does not continue the one before it. */
  readonly isDiscontinuity: boolean;
  /** When the first picture of the segment arrived, Unix time in milliseconds. */
  readonly arrivedAtMs: number;
  readonly track: 'video' | 'audio';
  /** Units of its track in a second. */
  readonly timescale: number;
  /** A fragment. */
  readonly bytes: Buffer;
}
