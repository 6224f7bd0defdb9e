import type { Text } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import type { BroadcastState } from '../broadcasts/broadcast-states.ts';
import { keepAlive, noteRefusal, openBroadcasts, waitingBroadcastOfVideo } from '../broadcasts/broadcasts.store.ts';
import type { LiveStream } from '../packaging/live-stream.ts';
import { type AcceptedEncoder, acceptEncoder, type EncoderCredential, type RefusedEncoder } from './accept-encoder.ts';
import { LiveSession, type LiveTools } from './live-session.ts';

const HEARTBEAT_MS = 1_000;
/** Videos that were no broadcast to offer, and when they were looked up. */
const MAX_OTHERS = 10_000;
const OTHERS_MS = 2_000;

type Tools = LiveTools & Pick<Platform, 'secrets'>;

/** An accepted encoder and the broadcast that it sends. */
export interface ReceivedEncoder extends AcceptedEncoder {
  readonly session: LiveSession;
}

/** The broadcasts that this process receives or offers. */
export class LiveBroadcasts {
  readonly #tools: Tools;
  readonly #sessions = new Map<string, LiveSession>();
  readonly #byVideo = new Map<string, LiveSession>();
  readonly #opening = new Map<string, Promise<LiveSession | null>>();
  readonly #others = new WeightedCache<number>(MAX_OTHERS);
  readonly #heartbeat: Repeated;

  constructor(tools: Tools) {
    this.#tools = tools;
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

  start(): void {
    this.#heartbeat.start();
  }

  /** Lets encoders connect again elsewhere, or to the next process. */
  async close(): Promise<void> {
    await this.#heartbeat.stop();
    for (const session of this.#sessions.values()) {
      const { encoder } = session;
      if (!encoder) continue;
      encoder.close();
      await session.lost(encoder.connectionId);
    }
  }

  /** Accepts an encoder by its credential, or says why not. `close` closes its connection. */
  async accept(credential: EncoderCredential, close: () => void): Promise<ReceivedEncoder | RefusedEncoder> {
    const accepted = await acceptEncoder(this.#tools, credential);
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
    if (hasEnded || !session.stream.isPlayable) this.#remove(session);
  }

  /** The stream of a video that is received here, or waits for its encoder; null for others. */
  async streamOf(videoAssetId: string): Promise<LiveStream | null> {
    const known = this.#byVideo.get(videoAssetId);
    if (known) return known.stream;
    const lookedUpMs = this.#others.get(videoAssetId);
    if (lookedUpMs !== undefined && this.#tools.clock.now() - lookedUpMs < OTHERS_MS) return null;
    let opening = this.#opening.get(videoAssetId);
    if (!opening) {
      opening = this.#open(videoAssetId).finally(() => this.#opening.delete(videoAssetId));
      this.#opening.set(videoAssetId, opening);
    }
    return (await opening)?.stream ?? null;
  }

  async #open(videoAssetId: string): Promise<LiveSession | null> {
    const nowMs = this.#tools.clock.now();
    const broadcast = await waitingBroadcastOfVideo(this.#tools.db, videoAssetId, new Date(nowMs).toISOString());
    if (!broadcast) {
      this.#others.set(videoAssetId, nowMs);
      return null;
    }
    const opened = this.#sessions.get(broadcast.id) ?? (await LiveSession.open(this.#tools, broadcast));
    const session = this.#sessions.get(broadcast.id) ?? opened;
    this.#add(session);
    return session;
  }

  #add(session: LiveSession): void {
    this.#sessions.set(session.broadcast.id, session);
    this.#byVideo.set(session.videoAssetId, session);
  }

  #remove(session: LiveSession): void {
    this.#sessions.delete(session.broadcast.id);
    this.#byVideo.delete(session.videoAssetId);
  }

  /** Says what is received, and stops what was ended. */
  async #keepAlive(): Promise<void> {
    const { db, clock } = this.#tools;
    const sessions = [...this.#sessions.values()];
    if (sessions.length === 0) return;
    const nowMs = clock.now();
    const signs = sessions.flatMap(({ broadcast: { id }, encoder }) => {
      return encoder
        ? [{ id, connectionId: encoder.connectionId, health: JSON.stringify(encoder.health.figures(nowMs)) }]
        : [];
    });
    const waiting = sessions.filter(({ encoder }) => !encoder).map(({ broadcast }) => broadcast.id);
    const nowIso = new Date(nowMs).toISOString();
    const [alive, open] = await Promise.all([
      signs.length > 0 ? keepAlive(db, signs, nowIso) : new Map<string, BroadcastState>(),
      waiting.length > 0 ? openBroadcasts(db, waiting, nowIso) : new Map<string, string | null>(),
    ]);
    for (const { id, connectionId } of signs) {
      const session = this.#sessions.get(id);
      if (session?.encoder?.connectionId !== connectionId) continue;
      if (!alive.has(id)) await this.#end(id);
      else if (alive.get(id) === 'RECONNECTING') session.wasSilent();
    }
    for (const id of waiting) {
      const connectionId = open.get(id);
      if (connectionId === undefined) await this.#end(id);
      else if (connectionId !== null) this.#leave(id, connectionId);
    }
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    await session.end();
    this.#remove(session);
  }

  /** Another process has its encoder now, unless that is the one that was lost here and is not noted yet. */
  #leave(id: string, connectionId: string): void {
    const session = this.#sessions.get(id);
    if (session && !session.encoder && session.lastConnectionId !== connectionId) this.#remove(session);
  }
}
