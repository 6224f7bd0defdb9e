import { formatDid, parseDid } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import { CHAT_FILE, leasedAddress, MASTER_PLAYLIST, mediaAddress, videoPrefix } from '../../assets/index.ts';
import { type PlaybackFacts, playbackFacts } from './playback.store.ts';
import { keyIdOf, unknownKey, verifyPlaybackToken } from './playback-token.ts';
import { noteSigningKeyUse } from './signing-keys.store.ts';

/** A request to play with a token. */
export interface PlaybackRequest {
  readonly contentId: string;
  readonly token: string | null;
  /** The host of the page that plays; null if it is not known. */
  readonly site: string | null;
}

/** What a token allows to play. */
export interface Playback {
  readonly title: string;
  /** Null for audio only. */
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  /** Absolute addresses of the files. */
  readonly hls: string;
  readonly dash: string | null;
  /** Of a stream: its chat as JSON; null without one. */
  readonly chat: string | null;
  readonly poster: string | null;
  readonly storyboard: {
    readonly urlFormat: string;
    readonly count: number;
    /** Which part of which image shows which moment; null where each image is one. */
    readonly vtt: string | null;
  } | null;
  /** When the addresses stop working at the latest; null for a content that is not private. */
  readonly expiresAt: string | null;
}

/** What a valid token admits to. */
interface Admission {
  readonly contentId: string;
  readonly keyId: string;
  /** Unix seconds. */
  readonly tokenExpires: number;
  readonly nowMs: number;
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
    return this.#playback(facts, { contentId, keyId: key.id, tokenExpires: expires, nowMs });
  }

  #playback(facts: PlaybackFacts, { contentId, keyId, tokenExpires, nowMs }: Admission): Playback {
    const { title, packagePrefix: prefix, manifestPrefix, open, dash, posterKey, thumbnails, width, height } = facts;
    const { hasChat, videoAssetId } = facts;
    if (prefix === null || manifestPrefix === null || title === null) throw nothingToPlay();
    const { secrets, config } = this.#platform;
    const context = { baseUrl: config.BASE_URL, secrets, nowMs };
    const lease = { keyId, expires: Math.floor(tokenExpires) };
    const address = (objectKey: string) =>
      open ? mediaAddress(context, objectKey, true) : leasedAddress(context, objectKey, lease);
    return {
      title,
      width,
      height,
      durationMs: facts.durationMs,
      hls: address(manifestPrefix + MASTER_PLAYLIST),
      dash: dash && address(manifestPrefix + dash),
      chat: hasChat && videoAssetId ? address(videoPrefix(contentId, videoAssetId) + CHAT_FILE) : null,
      poster: posterKey && address(posterKey),
      storyboard: thumbnails && storyboardOf((path) => address(prefix + path), thumbnails),
      expiresAt: open ? null : new Date(lease.expires * 1_000).toISOString(),
    };
  }

  async #noteUse(keyId: string, nowMs: number): Promise<void> {
    const notedMs = this.#noted.get(keyId);
    if (notedMs !== undefined && nowMs - notedMs < NOTE_USE_MS) return;
    this.#noted.set(keyId, nowMs);
    await noteSigningKeyUse(this.#platform.db, keyId, new Date(nowMs).toISOString());
  }
}

/** The address of the first image becomes the pattern. */
function storyboardOf(
  address: (path: string) => string,
  { pattern, count, vtt }: NonNullable<PlaybackFacts['thumbnails']>,
): Playback['storyboard'] {
  if (count === 0) return null;
  const first = address(pattern.replace('%05d', '00001'));
  const at = first.lastIndexOf('00001');
  const urlFormat = `${first.slice(0, at)}%05d${first.slice(at + 5)}`;
  return { urlFormat, count, vtt: vtt === undefined ? null : address(vtt) };
}

function nothingToPlay(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`The channel of this key has published no such video.`, {
    suggestedFix: t`Check the id; the content must belong to the channel of the signing key, be published and
      playable.`,
  });
}
