import { formatDid, parseDid } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { playbackFacts } from './playback.store.ts';
import { type Playback, playbackOf } from './playback-addresses.ts';
import { keyIdOf, unknownKey, verifyPlaybackToken } from './playback-token.ts';
import { noteSigningKeyUse } from './signing-keys.store.ts';

/** A request to play with a token. */
export interface PlaybackRequest {
  readonly contentId: string;
  readonly token: string | null;
  /** The host of the page that plays; null if it is not known. */
  readonly site: string | null;
}

/** How often the last use of a key is written, and how many keys are remembered for it. */
const NOTE_USE_MS = 60_000;
const MAX_REMEMBERED = 1_000;

/**
 * Authorizes playback with tokens that sites sign: the one place that turns a token into addresses. They end with the
 * token, with its key, and when the content is unpublished or deleted.
 */
export class PlaybackAccess {
  readonly #platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>;
  /** When the use of a key was last noted. */
  readonly #noted = new WeightedCache<number>(MAX_REMEMBERED);

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>) {
    this.#platform = platform;
  }

  /**
   * The addresses of a content's files.
   * @throws AppError FIELD_REQUIRED without a token, UNAUTHENTICATED for one that is not valid or whose key is unknown,
   *   TOKEN_EXPIRED, UNAUTHORIZED for a token of another content or site; RESOURCE_NOT_FOUND unless the channel of the
   *   key has published such a content, whether another channel has or not.
   */
  async authorize({ contentId, token, site }: PlaybackRequest): Promise<Playback> {
    const { db, clock, config } = this.#platform;
    const namespace = config.DID_NAMESPACE;
    const key = parseDid(namespace, keyIdOf(token));
    const facts = key?.kind === 'signingKey' ? await playbackFacts(db, key.id, contentId) : null;
    if (!token || !key || !facts) throw unknownKey();
    const nowMs = clock.now();
    const expires = await verifyPlaybackToken(token, facts, {
      nowMs,
      site,
      isSubject: (subject) => CONTENT_DID_KINDS.some((kind) => formatDid(namespace, kind, contentId) === subject),
    });
    await this.#noteUse(key.id, nowMs);
    const lease = { keyId: key.id, expires: Math.floor(expires) };
    const playback = playbackOf(this.#platform, facts, { contentId, lease, nowMs });
    if (!playback) throw nothingToPlay();
    return playback;
  }

  async #noteUse(keyId: string, nowMs: number): Promise<void> {
    const notedMs = this.#noted.get(keyId);
    if (notedMs !== undefined && nowMs - notedMs < NOTE_USE_MS) return;
    this.#noted.set(keyId, nowMs);
    await noteSigningKeyUse(this.#platform.db, keyId, new Date(nowMs).toISOString());
  }
}

function nothingToPlay(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The channel of this key has published no such video.`, {
    suggestedFix: t`Check the id; the content must belong to the channel of the signing key, be published and
      playable.`,
  });
}
