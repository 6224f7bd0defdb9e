import { element, type Lines } from './dash-xml.ts';

/** When a segment begins, and how long it is, in units of its track. */
export interface SegmentSpan {
  readonly start: number;
  readonly duration: number;
}

/** Segments that follow each other and are as long. */
interface Run extends SegmentSpan {
  readonly count: number;
}

/** The segments of a track, in their order, as SegmentTimeline lists them: a line for each run of equal durations. */
export class SegmentRuns {
  readonly #runs: Run[] = [];

  get isEmpty(): boolean {
    return this.#runs.length === 0;
  }

  /** Of the last segment; 0 without one. */
  get end(): number {
    const last = this.#runs.at(-1);
    return last ? endOf(last) : 0;
  }

  /** Of the first segment; 0 without one. */
  get firstDuration(): number {
    return this.#runs[0]?.duration ?? 0;
  }

  add({ start, duration }: SegmentSpan): void {
    const last = this.#runs.at(-1);
    if (last?.duration === duration && endOf(last) === start)
      this.#runs[this.#runs.length - 1] = { ...last, count: last.count + 1 };
    else this.#runs.push({ start, duration, count: 1 });
  }

  /** Leaves the first segment out. */
  dropFirst(): void {
    const [first] = this.#runs;
    if (!first) return;
    const { start, duration, count } = first;
    if (count === 1) this.#runs.shift();
    else this.#runs[0] = { start: start + duration, duration, count: count - 1 };
  }

  /** The element (section 5.3.9.6). A time is said of the first run, and of one that does not follow the one before. */
  lines(): Lines {
    const runs = this.#runs.map((run, index) => {
      const { start, duration, count } = run;
      const before = this.#runs[index - 1];
      const follows = before !== undefined && endOf(before) === start;
      return element('S', { t: follows ? null : start, d: duration, r: count === 1 ? null : count - 1 });
    });
    return element('SegmentTimeline', {}, runs);
  }
}

function endOf({ start, duration, count }: Run): number {
  return start + duration * count;
}
