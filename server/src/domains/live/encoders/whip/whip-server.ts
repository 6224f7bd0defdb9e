import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { AppError } from '../../../../kernel/errors.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import type { Runner } from '../../../../media/index.ts';
import { EVERYWHERE, hostOf, ownAddresses } from '../../../../platform/config/listen-hosts.ts';
import type { Platform } from '../../../../platform/platform.ts';
import { EncoderError } from '../../ingest/encoder-input.ts';
import type { LiveBroadcasts, ReceivedEncoder } from '../../ingest/live-broadcasts.ts';
import { RateLimit } from '../../ingest/rate-limit.ts';
import { withPublicAddresses } from './answer.ts';
import { readOffer, type WhipOffer } from './offer.ts';
import type { WhipConnection } from './whip-connection.ts';
import { WhipMedia } from './whip-media.ts';

/** Where clients send offers, on every server that receives them. */
export const WHIP_PATH = '/whip';
/** A client whose packets do not come is gone. Its first ones come after it has found the way. */
const SILENCE_MS = 5_000;
const CONNECTING_MS = 20_000;
const MOST_SESSIONS = 200;

export interface WhipServerOptions {
  readonly platform: Pick<Platform, 'clock' | 'config' | 'log'>;
  readonly broadcasts: LiveBroadcasts;
  readonly runner: Pick<Runner, 'startProgram'>;
  /** The address to listen on. */
  readonly host: string;
}

/** Receives clients by WHIP (RFC 9725): browsers, OBS Studio 30 and later. Each sends the stream key of its input. */
export class WhipServer {
  readonly #options: WhipServerOptions;
  readonly #sessions = new Map<string, WhipSession>();
  #isOpen = false;

  constructor(options: WhipServerOptions) {
    this.#options = options;
  }

  /** For clients; null while this process does not receive WHIP. */
  get address(): string | null {
    const { WHIP_URL, BASE_URL } = this.#options.platform.config;
    return WHIP_URL ?? (this.#isOpen ? `${BASE_URL}${WHIP_PATH}` : null);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  start(): void {
    this.#isOpen = true;
  }

  /** Ends connections. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.#sessions.values()].map((session) => session.stop(false)));
  }

  /**
   * Answers an SDP offer: the id of the session, and the answer.
   * @throws AppError UNAUTHENTICATED for an unknown stream key; CONFLICT where its input takes no encoder now;
   * INVALID_INPUT for an offer that cannot be received; SERVICE_UNAVAILABLE where there are too many.
   */
  async offer(streamKey: string, sdp: string): Promise<{ readonly id: string; readonly answer: string }> {
    const offer = readOffer(sdp);
    if (this.#sessions.size >= MOST_SESSIONS) throw tooMany();
    const id = randomBytes(16).toString('base64url');
    const session = new WhipSession(this.#options, streamKey, () => this.#sessions.delete(id));
    this.#sessions.set(id, session);
    try {
      const answer = await session.begin(offer);
      return { id, answer: withPublicAddresses(answer, await this.#publicAddresses()) };
    } catch (error) {
      await session.stop(false);
      throw error;
    }
  }

  /** Ends a session by its client. @throws AppError RESOURCE_NOT_FOUND where there is none with this key. */
  async end(id: string, streamKey: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (session?.streamKey !== streamKey)
      throw new AppError('RESOURCE_NOT_FOUND', t`There is no such session; it may have ended.`);
    await session.stop(true);
  }

  /** Of the host that clients use, and of this machine where it listens on all of its addresses. */
  async #publicAddresses(): Promise<string[]> {
    const { platform, host } = this.#options;
    const { WHIP_HOST, BASE_URL } = platform.config;
    const named = (WHIP_HOST ?? hostOf(BASE_URL)).replace(/^\[|\]$/g, '');
    const found = await lookup(named, { all: true }).catch((error: unknown) => {
      platform.log.warn({ error, host: named }, 'the public host of WHIP has no address, see WHIP_HOST');
      return [];
    });
    const own = EVERYWHERE.includes(host) ? ownAddresses() : [host];
    return [...new Set([...found.map(({ address }) => address), ...own])];
  }
}

/** One client, from its offer to its end. */
class WhipSession {
  readonly streamKey: string;
  readonly #options: WhipServerOptions;
  readonly #onStopped: () => void;
  readonly #rate: RateLimit;
  #encoder: ReceivedEncoder | null = null;
  #connection: WhipConnection | null = null;
  #media: WhipMedia | null = null;
  #silence: NodeJS.Timeout | null = null;
  #stopped: Promise<void> | null = null;

  constructor(options: WhipServerOptions, streamKey: string, onStopped: () => void) {
    [this.#options, this.streamKey, this.#onStopped] = [options, streamKey, onStopped];
    this.#rate = new RateLimit(options.platform.clock.now());
  }

  async begin(offer: WhipOffer): Promise<string> {
    const { broadcasts, platform, runner, host } = this.#options;
    const accepted = await broadcasts.accept({ streamKey: this.streamKey }, () => void this.stop(false));
    if ('refusal' in accepted) throw accepted.isUnknown ? unknownKey() : refused(accepted.refusal);
    this.#encoder = accepted;
    this.#rate.follow(accepted.limits);
    this.#media = new WhipMedia({
      ...{ tools: { runner, ffmpeg: platform.config.FFMPEG_PATH }, session: accepted.session, offer },
      now: () => platform.clock.now(),
      onKeyframeNeeded: () => this.#connection?.needKeyframe(),
      onFailed: (error) => void this.#explain(error),
    });
    // Loaded by the first client: most servers never have one.
    const { WhipConnection } = await import('./whip-connection.ts');
    const { WHIP_PORTS: ports } = platform.config;
    this.#connection = new WhipConnection(offer, {
      ...{ hosts: EVERYWHERE.includes(host) ? [...EVERYWHERE] : [host], ports: ports ?? null },
      onSign: (bytes) => this.#sign(bytes),
      onClosed: () => void this.stop(false),
    });
    const answer = await this.#connection.answer(offer, this.#media);
    if (this.#stopped) {
      await this.#connection.close();
      throw refused(t`The broadcast has ended.`);
    }
    this.#silence = setTimeout(() => void this.stop(false), CONNECTING_MS);
    return answer;
  }

  /** Ends the connection; `hasEnded` ends the broadcast as well, which otherwise waits for its encoder. */
  stop(hasEnded: boolean): Promise<void> {
    this.#stopped ??= this.#stop(hasEnded);
    return this.#stopped;
  }

  async #stop(hasEnded: boolean): Promise<void> {
    if (this.#silence) clearTimeout(this.#silence);
    await this.#connection?.close().catch(() => {}); // nothing comes by it any more
    await this.#media?.end();
    if (this.#encoder)
      await this.#options.broadcasts.release(this.#encoder, hasEnded).catch((error: unknown) => {
        // What the database does not learn here, it learns from the missing signs of life.
        this.#options.platform.log.warn({ error }, 'the end of an encoder is not noted');
      });
    this.#onStopped();
  }

  #sign(bytes: number): void {
    if (this.#silence === null || this.#stopped) return;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => void this.stop(false), SILENCE_MS);
    this.#encoder?.session.encoder?.health.bytes(bytes);
    try {
      this.#rate.take(bytes, this.#options.platform.clock.now());
    } catch (error) {
      void this.#explain(error);
    }
  }

  /** Notes why nothing more is received of the encoder, and ends the connection. */
  async #explain(error: unknown): Promise<void> {
    const { broadcasts, platform } = this.#options;
    const inputId = this.#encoder?.broadcast.inputId;
    if (error instanceof EncoderError) {
      platform.log.info({ reason: String(error), inputId }, 'encoder refused');
      if (this.#encoder)
        await broadcasts
          .refuse(this.#encoder, error.text)
          .catch((cause: unknown) => platform.log.warn({ error: cause, inputId }, 'a refusal is not noted'));
    } else platform.log.warn({ error, inputId }, 'a WHIP connection failed');
    await this.stop(false);
  }
}

function unknownKey(): AppError {
  return new AppError('UNAUTHENTICATED', t`No live input has this stream key.`, {
    suggestedFix: t`Send the header "Authorization: Bearer <STREAM_KEY>" with the key of the live input.`,
  });
}

function refused(reason: Text): AppError {
  return new AppError('CONFLICT', reason, {
    suggestedFix: t`End the other broadcast of the live input, or wait until it has ended.`,
  });
}

function tooMany(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`This server receives ${MOST_SESSIONS} clients already.`, {
    retryAfterSeconds: 30,
  });
}
