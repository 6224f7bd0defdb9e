import { readFragment, VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { type LiveRung, liveRungs } from '../../../media/index.ts';
import type { Logger } from '../../../platform/log.ts';
import type { LiveTrack } from '../packaging/live-track.ts';
import type { PictureFacts, PictureListener, PicturePart } from '../packaging/picture-listener.ts';
import { rungName } from '../recording/live-renditions.ts';
import { LadderProgram, type LadderTools } from './ladder-program.ts';
import { type RungOutput, RungTrack } from './rung-track.ts';
import { SegmentTimes } from './segment-times.ts';

/** With fewer, nothing but what the encoder sends is offered. */
const LEAST_CORES = 2;
/** Further behind for longer, the largest size is left out. */
const BEHIND_SECONDS = 1;
const BEHIND_MS = 3_000;
/** What waits at most: further behind, what waits is given up. */
const MOST_BEHIND_SECONDS = 8;
const MOST_BYTES = 32 * 1024 ** 2;
/** Ends a program that does not encode the rest of what it has by then. */
const DRAIN_MS = 5_000;
/** A size that was left out comes back after this time, later each time. */
const RETURN_MS = 30_000;
const LONGEST_RETURN_MS = 600_000;

export interface LadderOptions extends RungOutput {
  readonly tools: LadderTools;
  readonly log: Logger;
  readonly now: () => number;
  /** Of this machine. */
  readonly cores: number;
  readonly partSeconds: number;
  /** Other sizes are left out than before, because CPU time is missing, or is there again. */
  readonly onChange: (leftOut: readonly LiveRung[]) => void;
}

/** What is encoded by one program, from a segment on. */
interface Feed {
  readonly segment: number;
  readonly startTicks: number;
  readonly init: Init;
  readonly rungs: readonly RungTrack[];
  /** Null until it has started: what is to be encoded waits. */
  program: LadderProgram | null;
  waiting: Buffer[];
  waitingBytes: number;
  /** Up to where it has pictures, in 1/90000 s. */
  fedTicks: number;
  behindSinceMs: number | null;
}

/** An initialization segment. */
interface Init {
  readonly number: number;
  readonly bytes: Buffer;
}

/**
 * Encodes the pictures of a broadcast in smaller sizes. Where that takes more time than there is, the largest size is
 * left out from the next segment on, and comes back later.
 */
export class LiveLadder implements PictureListener {
  readonly #options: LadderOptions;
  readonly #times = new SegmentTimes();
  readonly #rungs: RungTrack[] = [];
  /** How many of them are encoded: the smallest. */
  #count = 0;
  #returnAtMs = 0;
  #returnMs = RETURN_MS;
  #init: Init | null = null;
  #isContinued = true;
  /** Number of the segment after the last complete one. */
  #next = 0;
  /** That takes the next part. Programs run one after the other, in `#work`. */
  #feed: Feed | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(options: LadderOptions) {
    this.#options = options;
  }

  /** The sizes that it has, also those that are not encoded for now; from large to small. */
  get rungs(): readonly LiveRung[] {
    return this.#rungs.map(({ rung }) => rung);
  }

  /** Names of the tracks of those that are being encoded. */
  get encoding(): readonly string[] {
    return this.#feed?.rungs.map(({ rung }) => rungName(rung)) ?? [];
  }

  open(facts: PictureFacts, newTrack: () => LiveTrack): void {
    if (this.#options.cores < LEAST_CORES) return;
    for (const rung of liveRungs(facts)) this.#add(rung, newTrack());
  }

  /** As `open`, for a broadcast that goes on: with the sizes that it had, whose playlists are complete. */
  restore(facts: PictureFacts, tracks: ReadonlyMap<string, LiveTrack>): void {
    for (const rung of liveRungs(facts)) {
      const track = tracks.get(rungName(rung));
      if (track) this.#add(rung, track);
    }
  }

  #add(rung: LiveRung, track: LiveTrack): void {
    const { partSeconds, onInit, onSegment } = this.#options;
    const options = { name: rungName(rung), rung, track, times: this.#times, partSeconds, onInit, onSegment };
    this.#rungs.push(new RungTrack(options));
    this.#count = this.#options.cores < LEAST_CORES ? 0 : this.#rungs.length;
  }

  /** The track with this name; null where there is none. */
  track(name: string): LiveTrack | null {
    return this.#rungs.find(({ rung }) => rungName(rung) === name)?.track ?? null;
  }

  /** What follows begins with this initialization segment. */
  begin(number: number, bytes: Buffer): void {
    this.#init = { number, bytes };
    this.#isContinued = false;
  }

  part(part: PicturePart): void {
    if (this.#rungs.length === 0) return;
    if (part.isFirst) this.#beginSegment(part);
    if (this.#feed) this.#push(this.#feed, part.bytes);
    const time = this.#times.get(part.segment);
    if (part.completesSeconds === null || !time) return;
    time.durationSeconds = part.completesSeconds;
    this.#next = part.segment + 1;
    this.#fill(this.#feed?.rungs ?? []);
  }

  /** The encoder is gone. */
  interrupt(): void {
    this.#close();
    this.#fill([]);
  }

  /** Nothing follows. */
  end(): void {
    this.interrupt();
    this.#then(async () => {
      for (const { track } of this.#rungs) track.end();
    });
  }

  /** Once all that it was given is encoded, or given up. */
  idle(): Promise<void> {
    return this.#work;
  }

  #then(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => {
      this.#options.log.warn({ error }, 'sizes of a broadcast are not encoded');
    });
  }

  #beginSegment({ segment, bytes, segmentAtMs }: PicturePart): void {
    const { decodeTime, shifts } = readFragment(bytes);
    const startTicks = decodeTime + (shifts[0] ?? 0);
    const discontinuity = this.#isContinued || segment === 0 ? null : (this.#init?.number ?? null);
    this.#isContinued = true;
    this.#times.set(segment, { startTicks, atMs: segmentAtMs, discontinuity, durationSeconds: null });
    this.#comeBack();
    if (this.#count === (this.#feed?.rungs.length ?? 0)) return;
    this.#close();
    this.#open(segment, startTicks);
  }

  /** Has sizes encoded from a segment on. */
  #open(segment: number, startTicks: number): void {
    const init = this.#init;
    if (init === null || this.#count === 0) return;
    const rungs = this.#rungs.slice(this.#rungs.length - this.#count);
    const feed: Feed = {
      ...{ segment, startTicks, init, rungs, program: null },
      ...{ waiting: [], waitingBytes: 0, fedTicks: startTicks, behindSinceMs: null },
    };
    this.#feed = feed;
    this.#then(() => this.#start(feed));
  }

  /** Lets a program encode what it has. */
  #close(): void {
    const feed = this.#feed;
    this.#feed = null;
    if (feed) this.#then(() => this.#finish(feed));
  }

  /** Lists gaps of the sizes that are not being encoded. */
  #fill(encoded: readonly RungTrack[]): void {
    const until = this.#next;
    this.#then(async () => {
      for (const rung of this.#rungs) if (!encoded.includes(rung)) rung.fill(until);
    });
  }

  #push(feed: Feed, bytes: Buffer): void {
    this.#watch(feed);
    feed.fedTicks = endOf(bytes);
    if (feed.program) {
      feed.program.push(bytes);
      return;
    }
    feed.waiting.push(bytes);
    feed.waitingBytes += bytes.length;
    if (feed.waitingBytes > MOST_BYTES) this.#giveUp(feed);
  }

  /** Leaves the largest size out where encoding is behind. */
  #watch(feed: Feed): void {
    if (feed.program === null) return;
    const behind = (feed.fedTicks - Math.min(...feed.rungs.map(({ madeTicks }) => madeTicks))) / VIDEO_TIMESCALE;
    const nowMs = this.#options.now();
    if (behind <= BEHIND_SECONDS) feed.behindSinceMs = null;
    else feed.behindSinceMs ??= nowMs;
    if (behind > MOST_BEHIND_SECONDS || feed.program.waitingBytes > MOST_BYTES) feed.program.kill();
    const isBehind = feed.behindSinceMs !== null && nowMs - feed.behindSinceMs >= BEHIND_MS;
    if (isBehind && this.#count === feed.rungs.length) this.#leaveOut();
  }

  #leaveOut(): void {
    this.#count = Math.max(0, this.#count - 1);
    this.#returnAtMs = this.#options.now() + this.#returnMs;
    this.#returnMs = Math.min(2 * this.#returnMs, LONGEST_RETURN_MS);
    this.#changed();
  }

  #comeBack(): void {
    const { now, cores } = this.#options;
    if (cores < LEAST_CORES || this.#count === this.#rungs.length || now() < this.#returnAtMs) return;
    this.#count += 1;
    this.#changed();
  }

  #changed(): void {
    this.#options.onChange(this.rungs.slice(0, this.#rungs.length - this.#count));
  }

  /** What it has is not encoded: its sizes have a gap until the next segment. */
  #giveUp(feed: Feed): void {
    if (this.#feed !== feed) return;
    if (this.#count === feed.rungs.length) this.#leaveOut();
    this.#close();
  }

  async #start(feed: Feed): Promise<void> {
    const { rungs, segment, startTicks, init } = feed;
    for (const rung of this.#rungs) rung.fill(segment);
    for (const rung of rungs) rung.begin(startTicks);
    const sizes = rungs.map(({ rung }) => rung);
    try {
      feed.program = await LadderProgram.start(this.#options.tools, sizes, {
        onEntry: (index, entry) => rungs[index]?.entry(init.number, entry),
        onPicture: (index, picture) => rungs[index]?.picture(picture),
      });
    } catch (error) {
      this.#giveUp(feed);
      throw error;
    }
    for (const bytes of [init.bytes, ...feed.waiting]) feed.program.push(bytes);
    feed.waiting = [];
    void feed.program.ended.then(() => this.#giveUp(feed));
  }

  async #finish({ program, rungs }: Feed): Promise<void> {
    program?.end();
    const tooLate = setTimeout(() => program?.kill(), DRAIN_MS);
    const error = await program?.ended;
    clearTimeout(tooLate);
    for (const rung of rungs) rung.end({ isWhole: error === null });
    if (error) this.#options.log.warn({ error }, 'sizes of a broadcast were not encoded in time');
  }
}

/** The end of the pictures of a part, in 1/90000 s. */
function endOf(bytes: Buffer): number {
  const { decodeTime, durations } = readFragment(bytes);
  return decodeTime + durations.reduce((sum, duration) => sum + duration, 0);
}
