import { storedError } from '../../../platform/db/stored-text.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { Simulcast, type SimulcastEncoder } from './simulcast.ts';
import { type EnabledTarget, enabledTargets, reportTarget } from './simulcast-targets.store.ts';
import type { TargetStatus, TargetTools } from './target-publisher.ts';

/** How long a target that was changed by any process waits. */
const LOOK_MS = 1_000;

type Tools = TargetTools & Pick<Platform, 'db'>;

/** What this process publishes at other servers: follows the targets in the database, and notes how they do. */
export class Simulcasts {
  readonly #tools: Tools;
  readonly #open = new Set<Simulcast>();
  readonly #look: Repeated;

  constructor(tools: Tools) {
    this.#tools = tools;
    const failure = 'simulcast targets could not be followed, will be retried';
    this.#look = repeat(tools.log, failure, LOOK_MS, async () => {
      await this.#follow();
      return false;
    });
  }

  /** Of an encoder that was accepted. */
  open(encoder: SimulcastEncoder): Simulcast {
    const simulcast = new Simulcast(this.#tools, encoder);
    this.#open.add(simulcast);
    this.#look.start();
    return simulcast;
  }

  /** Its encoder is gone, or has ended. */
  end(simulcast: Simulcast, hasEnded: boolean): void {
    this.#open.delete(simulcast);
    simulcast.stop(hasEnded);
  }

  async close(): Promise<void> {
    await this.#look.stop();
    for (const simulcast of this.#open) this.end(simulcast, false);
  }

  async #follow(): Promise<void> {
    const live = [...this.#open].filter(({ contentId }) => contentId !== null);
    if (live.length === 0) return;
    const targets = await enabledTargets(
      this.#tools.db,
      live.map(({ encoder }) => encoder.inputId),
    );
    for (const simulcast of live) {
      simulcast.follow(targets.filter(({ inputId }) => inputId === simulcast.encoder.inputId));
      for (const { target, before, now } of simulcast.changes()) {
        await this.#note(simulcast, target, { before, now });
        simulcast.noted(target, now);
      }
    }
  }

  async #note(
    { encoder: { channelId, connectionId }, contentId }: Simulcast,
    target: EnabledTarget,
    { before, now }: { readonly before: TargetStatus | null; readonly now: TargetStatus },
  ): Promise<void> {
    const { state, error, outages, lastFailure } = now;
    const hasFailed = outages > (before?.outages ?? 0);
    const isLive = state === 'LIVE' && (hasFailed || before?.state !== 'LIVE');
    const about = { simulcastTargetId: target.id, name: target.name };
    await this.#tools.db.transaction(async (tx) => {
      await reportTarget(tx, target, { state, connectionId, error: error === null ? null : storedError(error) });
      if (contentId === null) return;
      const event = { channelId, subjectId: contentId };
      if (hasFailed) {
        const payload = { ...about, reason: String(lastFailure) };
        await appendEvent(tx, { ...event, type: 'stream.simulcast_failed', payload });
      }
      if (isLive) await appendEvent(tx, { ...event, type: 'stream.simulcast_live', payload: about });
    });
  }
}
