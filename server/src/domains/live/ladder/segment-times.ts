/** What is known of a segment of the encoder's own pictures. */
export interface SegmentTime {
  /** When its first picture is shown, in 1/90000 s. */
  readonly startTicks: number;
  /** When it began, Unix time in milliseconds; null where that is not known. */
  readonly atMs: number | null;
  /** Number of its initialization segment, where it does not continue the segment before it; otherwise null. */
  readonly discontinuity: number | null;
  /** Null as long as it is being made. */
  durationSeconds: number | null;
}

/** Sizes that are encoded follow within seconds. */
const KEPT = 60;

/** When the newest segments of the encoder's own pictures begin. Those of other sizes begin with the same pictures. */
export class SegmentTimes {
  readonly #times = new Map<number, SegmentTime>();

  set(segment: number, time: SegmentTime): void {
    this.#times.set(segment, time);
    this.#times.delete(segment - KEPT);
  }

  get(segment: number): SegmentTime | undefined {
    return this.#times.get(segment);
  }
}
