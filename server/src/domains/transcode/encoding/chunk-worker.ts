import { newId } from '../../../kernel/ids.ts';
import { NotificationListener } from '../../../platform/db/notification-listener.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { type ClaimedChunk, claimChunk, claimSegment } from '../plans/encode-chunks.store.ts';
import { unwantedJobs } from '../plans/encode-plans.store.ts';
import { leaveWorker, seeWorker } from '../plans/encode-speeds.store.ts';
import { cancelProcessing } from '../plans/fail-processing.ts';
import { SEGMENT_WANTED_CHANNEL } from '../plans/on-demand.store.ts';
import { encodeClaimedSound } from '../playable/copied-sound.ts';
import { type ClaimedSound, claimSound } from '../playable/sound-segments.store.ts';
import { type EncodeChunkTools, encodeClaimedChunk } from './encode-chunk.ts';

const POLL_MS = 1_000;
const ANNOUNCE_MS = 6_000;
/** CPU time of what the additional lane encodes: a minute of 720p. */
const SHORT_WORK_MS = 45_000;
/** Segments that are encoded for viewers at a time. */
const SEGMENT_LANES = 2;

/** Claims what a lane encodes next, and returns how; null where there is nothing. */
type Lane = () => Promise<(() => Promise<void>) | null>;

/**
 * Encodes chunks of all videos on this machine: `lanes` at a time; one more for short videos, which do not wait for a
 * long one; and some for segments that viewers wait for. While these run, the others yield to them.
 */
export class ChunkWorker {
  readonly #tools: EncodeChunkTools;
  readonly #stopping = new AbortController();
  readonly #endings: Repeated;
  readonly #wanted: NotificationListener;
  readonly #id = newId();
  readonly #presence: Repeated;
  #lanes: Promise<void>[] = [];
  #running = 0;
  readonly #idle = new Set<() => void>();

  /** `databaseUrl`: where workers learn that a segment is wanted. */
  constructor(tools: EncodeChunkTools, databaseUrl: string) {
    this.#tools = tools;
    const { log } = tools.platform;
    this.#wanted = new NotificationListener({
      ...{ url: databaseUrl, channel: SEGMENT_WANTED_CHANNEL, log, wake: () => this.wake() },
    });
    this.#presence = repeat(log, 'the worker could not be announced', ANNOUNCE_MS, async () => {
      await seeWorker(tools.platform.db, this.#id, this.#lanes.length - SEGMENT_LANES);
      return false;
    });
    this.#endings = repeat(log, 'ended jobs could not be cleaned up', POLL_MS, async () => {
      await this.#endJobs();
      return false;
    });
  }

  start(lanes: number): void {
    this.#endings.start();
    void this.#wanted.start();
    const { db } = this.#tools.platform;
    const long = async () => this.#chunk(await claimChunk(db, null), true);
    const short = async () => this.#chunk(await claimChunk(db, SHORT_WORK_MS), false);
    const segments = async () => this.#chunk(await claimSegment(db), false) ?? this.#sound(await claimSound(db));
    const all = [...Array<Lane>(lanes).fill(long), short, ...Array<Lane>(SEGMENT_LANES).fill(segments)];
    this.#lanes = all.map((lane) => this.#run(lane));
    this.#presence.start();
  }

  /** Chunks that are being encoded here. */
  get running(): number {
    return this.#running;
  }

  /** Looks for chunks at once: a job was planned. */
  wake(): void {
    for (const resume of this.#idle) resume();
  }

  /** Gives running chunks back to other workers. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the worker is stopping'));
    this.wake();
    await Promise.all([this.#endings.stop(), this.#presence.stop(), this.#wanted.stop()]);
    await leaveWorker(this.#tools.platform.db, this.#id).catch((error: unknown) =>
      this.#tools.platform.log.warn({ error }, 'the worker could not be removed; it is forgotten soon'),
    );
    await Promise.all(this.#lanes);
  }

  async #run(lane: Lane): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const worked = await this.#encodeNext(lane).catch((error: unknown) => {
        this.#tools.platform.log.warn({ error }, 'chunks could not be encoded, will be retried');
        return false;
      });
      if (!worked) await this.#untilWoken();
    }
  }

  /** `background`: it yields to the others. */
  #chunk(claimed: ClaimedChunk | null, background: boolean): Awaited<ReturnType<Lane>> {
    const { signal } = this.#stopping;
    return claimed && (() => encodeClaimedChunk(this.#tools, claimed, { signal, background }));
  }

  #sound(claimed: ClaimedSound | null): Awaited<ReturnType<Lane>> {
    return claimed && (() => encodeClaimedSound(this.#tools, claimed, this.#stopping.signal));
  }

  async #encodeNext(lane: Lane): Promise<boolean> {
    if (!this.#tools.platform.jobs.attempts.isOpen) return false;
    const encode = await lane();
    if (!encode) return false;
    this.#running += 1;
    try {
      await encode();
    } finally {
      this.#running -= 1;
    }
    return true;
  }

  async #untilWoken(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, POLL_MS).unref();
    this.#idle.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#idle.delete(resolve);
  }

  /** Ends cancelled jobs of which no chunk runs. */
  async #endJobs(): Promise<void> {
    const { platform } = this.#tools;
    for (const jobId of await unwantedJobs(platform.db)) await cancelProcessing(platform, jobId);
  }
}
