/** What is known of an encoder, of the last seconds. */
export interface EncoderFigures {
  /** Of everything that it sends. */
  readonly bitrateBps: number;
  /** Pictures in a second, by its own clock; null as long as there are too few. */
  readonly frameRate: number | null;
  /** Between the last two keyframes, in milliseconds; null before the second one. */
  readonly keyframeMs: number | null;
  /** How much longer it took to send than it lasts: what its connection cannot carry waits in the encoder. */
  readonly lagMs: number;
}

/** What is measured. */
const WINDOW_MS = 5_000;

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
  readonly frames: number;
  /** Of the last picture. */
  readonly timestamp: number;
}

/** Measures an encoder. Timestamps are milliseconds of its own clock. */
export class EncoderHealth {
  readonly #samples: Sample[] = [];
  #bytes = 0;
  #frames = 0;
  #timestamp = 0;
  #keyframe: number | null = null;
  #keyframeMs: number | null = null;
  /** Least distance of the clocks: what arrived without waiting. */
  #leastOffsetMs = Number.POSITIVE_INFINITY;
  #lagMs = 0;

  bytes(count: number): void {
    this.#bytes += count;
  }

  video(timestamp: number, isKeyframe: boolean, nowMs: number): void {
    this.#frames += 1;
    if (timestamp < this.#timestamp - 1_000) this.#leastOffsetMs = Number.POSITIVE_INFINITY; // its clock has jumped
    this.#timestamp = timestamp;
    this.#leastOffsetMs = Math.min(this.#leastOffsetMs, nowMs - timestamp);
    this.#lagMs = nowMs - timestamp - this.#leastOffsetMs;
    if (!isKeyframe) return;
    if (this.#keyframe !== null && timestamp > this.#keyframe) this.#keyframeMs = timestamp - this.#keyframe;
    this.#keyframe = timestamp;
  }

  /** The figures of the last seconds. To be asked about once a second. */
  figures(nowMs: number): EncoderFigures {
    this.#samples.push({ atMs: nowMs, bytes: this.#bytes, frames: this.#frames, timestamp: this.#timestamp });
    while (this.#samples[1] && this.#samples[1].atMs <= nowMs - WINDOW_MS) this.#samples.shift();
    const [first] = this.#samples;
    const passedMs = first ? nowMs - first.atMs : 0;
    const playedMs = first ? this.#timestamp - first.timestamp : 0;
    return {
      bitrateBps: passedMs > 0 && first ? Math.round((8_000 * (this.#bytes - first.bytes)) / passedMs) : 0,
      frameRate: playedMs > 0 && first ? Math.round((10_000 * (this.#frames - first.frames)) / playedMs) / 10 : null,
      keyframeMs: this.#keyframeMs,
      lagMs: Math.max(0, Math.round(this.#lagMs)),
    };
  }
}
