import type { Text } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { nextMonthMs } from '../../assets/index.ts';
import type { EndReason } from '../broadcasts/broadcast-states.ts';
import {
  keepAlive,
  type LivingBroadcast,
  nodeOfWaiting,
  noteRefusal,
  openBroadcastOfVideo,
  openBroadcasts,
} from '../broadcasts/broadcasts.store.ts';
import { minutesUsedUp } from '../quota/live-quota.policy.ts';
import { type AcceptedEncoder, acceptEncoder, type EncoderCredential, type RefusedEncoder } from './accept-encoder.ts';
import type { LivePreview } from './live-preview.ts';
import { LiveSession, type LiveTools } from './live-session.ts';

const HEARTBEAT_MS = 1_000;
/** Videos that are not offered from here: where they are instead, for a while. */
const MAX_OTHERS = 10_000;
const OTHERS_MS = 2_000;

type Tools = LiveTools & Pick<Platform, 'secrets'>;

/** An accepted encoder and the broadcast that it sends. */
export interface ReceivedEncoder extends AcceptedEncoder {
  readonly session: LiveSession;
}

/**
 * Where a broadcast is offered from: memory here, or the process at an address; null where that is the address of this
 * process, which has started meanwhile: nobody offers it until the former process counts as dead.
 */
export type LivePlace = { readonly session: LiveSession } | { readonly node: string | null };

/** The broadcasts that this process receives or offers. */
export class LiveBroadcasts {
  readonly #tools: Tools;
  readonly #node: string;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #byVideo = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LivePlace | null>>();
  readonly #others = new WeightedCache<{ readonly place: LivePlace | null; readonly atMs: number }>(MAX_OTHERS);
  readonly #heartbeat: Repeated;

  /** `node` is where other processes reach this one. */
  constructor(tools: Tools, node: string) {
    [this.#tools, this.#node] = [tools, node];
    this.#heartbeat = repeat(
      tools.log,
      'broadcasts could not be kept alive, will be retried',
      HEARTBEAT_MS,
      async () => {
        await this.#keepAlive();
        return false;
      },
    );
  }

  /** Lets encoders connect again elsewhere, or to the next process. */
  async close(): Promise<void> {
    await this.#heartbeat.stop();
    for (const session of this.#sessions.values()) {
      const { encoder } = session;
      encoder?.close();
      if (encoder) await session.lost(encoder.connectionId);
      await session.close();
    }
  }

  /** Accepts an encoder by its credential, or says why not. `close` closes its connection. */
  async accept(credential: EncoderCredential, close: () => void): Promise<ReceivedEncoder | RefusedEncoder> {
    const accepted = await acceptEncoder(this.#tools, credential, this.#node);
    if ('refusal' in accepted) return accepted;
    const { broadcast } = accepted;
    const session = this.#sessions.get(broadcast.id) ?? (await LiveSession.open(this.#tools, broadcast));
    this.#add(session);
    session.attach(accepted, close);
    return { ...accepted, session };
  }

  /** Says why the connection of an encoder is closed. */
  async refuse({ broadcast }: ReceivedEncoder, reason: Text): Promise<void> {
    const { db, clock } = this.#tools;
    await noteRefusal(db, broadcast.inputId, reason, new Date(clock.now()).toISOString());
  }

  /** The encoder is gone, or has ended. */
  async release({ session, connectionId }: ReceivedEncoder, hasEnded: boolean): Promise<void> {
    if (hasEnded) await session.finish(connectionId);
    else await session.lost(connectionId);
    if (hasEnded || !session.stream.isPlayable) await this.#remove(session);
  }

  /** The broadcast of a video that is received here; null for others. */
  received(videoAssetId: string): LiveSession | null {
    const session = this.#byVideo.get(videoAssetId);
    return session?.encoder ? session : null;
  }

  /** What is received here of a broadcast that waits to be started; null for others. */
  preview(broadcastId: string): LivePreview | null {
    return this.#sessions.get(broadcastId)?.preview ?? null;
  }

  /** Where that is received; null where there is none. */
  async previewOf(broadcastId: string): Promise<{ readonly preview: LivePreview } | { readonly node: string } | null> {
    const preview = this.preview(broadcastId);
    if (preview) return { preview };
    const { db, clock } = this.#tools;
    const node = await nodeOfWaiting(db, broadcastId, new Date(clock.now()).toISOString());
    return node === null || node === this.#node ? null : { node };
  }

  /** Where a video is offered that is received, or waits for its encoder; null for others. */
  async placeOf(videoAssetId: string): Promise<LivePlace | null> {
    const known = this.#byVideo.get(videoAssetId);
    if (known) return { session: known };
    const other = this.#others.get(videoAssetId);
    if (other && this.#tools.clock.now() - other.atMs < OTHERS_MS) return other.place;
    let opening = this.#opening.get(videoAssetId);
    if (!opening) {
      opening = this.#find(videoAssetId).finally(() => this.#opening.delete(videoAssetId));
      this.#opening.set(videoAssetId, opening);
    }
    return opening;
  }

  async #find(videoAssetId: string): Promise<LivePlace | null> {
    const atMs = this.#tools.clock.now();
    const broadcast = await openBroadcastOfVideo(this.#tools.db, videoAssetId, new Date(atMs).toISOString());
    if (!broadcast || broadcast.hasEncoder) {
      const place = broadcast && { node: broadcast.node === this.#node ? null : broadcast.node };
      this.#others.set(videoAssetId, { place, atMs });
      return place;
    }
    const opened = this.#sessions.get(broadcast.id) ?? (await LiveSession.open(this.#tools, broadcast));
    const session = this.#sessions.get(broadcast.id) ?? opened;
    this.#add(session);
    return { session };
  }

  #add(session: LiveSession): void {
    this.#heartbeat.start();
    this.#sessions.set(session.broadcast.id, session);
    this.#byVideo.set(session.videoAssetId, session);
  }

  async #remove(session: LiveSession): Promise<void> {
    this.#sessions.delete(session.broadcast.id);
    this.#byVideo.delete(session.videoAssetId);
    await session.close();
  }

  /** Says what is received, and stops what was ended. */
  async #keepAlive(): Promise<void> {
    const { db, clock } = this.#tools;
    const sessions = [...this.#sessions.values()];
    if (sessions.length === 0) return;
    const nowMs = clock.now();
    const signs = sessions.flatMap(({ broadcast: { id }, encoder, leftOutSizes, minutes: { minutesLeft } }) => {
      if (!encoder) return [];
      const health = JSON.stringify({ ...encoder.health.figures(nowMs), leftOutSizes, minutesLeft });
      return [{ id, connectionId: encoder.connectionId, health }];
    });
    const waiting = sessions.filter(({ encoder }) => !encoder).map(({ broadcast }) => broadcast.id);
    const nowIso = new Date(nowMs).toISOString();
    const [alive, open] = await Promise.all([
      signs.length > 0 ? keepAlive(db, signs, nowIso) : new Map<string, LivingBroadcast>(),
      waiting.length > 0 ? openBroadcasts(db, waiting, nowIso) : new Map<string, string | null>(),
    ]);
    for (const { id, connectionId } of signs) {
      const session = this.#sessions.get(id);
      if (session?.encoder?.connectionId !== connectionId) continue;
      const living = alive.get(id);
      if (!living) {
        await this.#end(id, 'REMOVED');
        continue;
      }
      if (living.state === 'RECONNECTING') session.wasSilent();
      if (!living.awaitsStart) session.start();
    }
    for (const id of waiting) {
      if (this.#sessions.get(id)?.encoder) continue; // it has come back meanwhile
      const connectionId = open.get(id);
      if (connectionId === undefined) await this.#end(id, 'REMOVED');
      else if (connectionId !== null) await this.#leave(id, connectionId);
    }
    for (const session of sessions) if (session.minutes.isDue) this.#charge(session);
  }

  /** Nothing waits for it: others may have locked the account. */
  #charge(session: LiveSession): void {
    const { broadcast, minutes } = session;
    const work = async (): Promise<void> => {
      const balance = await minutes.charge();
      if (balance?.leftMs !== 0 || !session.encoder) return;
      const { db, clock } = this.#tools;
      const nowMs = clock.now();
      const reason = minutesUsedUp(balance.limits, nextMonthMs(nowMs));
      await noteRefusal(db, broadcast.inputId, reason, new Date(nowMs).toISOString());
      await this.#end(broadcast.id, 'MINUTES_USED_UP');
    };
    work().catch((error: unknown) =>
      this.#tools.log.warn({ error, broadcastId: broadcast.id }, 'a broadcast beyond its quota could not be ended'),
    );
  }

  async #end(id: string, reason: EndReason): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    await session.end(reason);
    await this.#remove(session);
  }

  /** Another process has its encoder now, unless that is the one that was lost here and is not noted yet. */
  async #leave(id: string, connectionId: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session && !session.encoder && session.lastConnectionId !== connectionId) await this.#remove(session);
  }
}
