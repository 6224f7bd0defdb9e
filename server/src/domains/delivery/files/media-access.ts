import { AppError } from '../../../kernel/errors.ts';
import { requireFeature, type SwitchedOff } from '../../../kernel/features.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { WeightedCache } from '../../../platform/weighted-cache.ts';
import {
  encryptedPath,
  type MediaTarget,
  type MediaToken,
  MediaTokens,
  mediaSubject,
  parseMediaPath,
} from '../../assets/index.ts';
import { FetchLog } from '../../transcode/index.ts';
import { batched } from './batched.ts';
import { downloadName } from './download-name.ts';
import {
  chatFacts,
  downloadFacts,
  type EffectiveVisibility,
  imageFacts,
  type MediaFacts,
  sourceObject,
  videoFacts,
  type WantedVideo,
} from './media-access.store.ts';
import type { MediaAudience } from './media-caching.ts';

/** The authorized file of an address. */
export interface MediaGrant {
  readonly objectKey: string;
  /** Replaces the stored content type. */
  readonly contentType: string | null;
  readonly audience: MediaAudience;
  /** Name under which a browser saves it; null to show it. */
  readonly downloadAs: string | null;
  /** The secrets whose keys its segments are encrypted with; null where they are sent in the clear. */
  readonly encryptedWith: Secrets | null;
  /** Seconds for which a shared cache may keep a file that never changes, at a signed address; 0 if it may not. */
  readonly sharedSeconds: number;
}

/** The file is served at another path, with encrypted segments. */
export interface MediaRedirect {
  readonly location: string;
}

/** Files of a video's streams; its images and captions are never encrypted. */
const STREAM_FILE = /\.(?:m3u8|m4s|mpd)$/;

/** How long an unpublished video may still be served at its unsigned address. */
const OPEN_MS = 2_000;
/**
 * How long a deleted video, or one whose signing key, share or link was deleted, may still be served at a signed
 * address, which carries the permission itself.
 */
const SIGNED_MS = 60_000;
/** How long a shared cache of the operator may keep a file at a signed address: as long as deletion takes. */
const SHARED_SECONDS = SIGNED_MS / 1_000;
const MAX_REMEMBERED = 10_000;

/** What a content shows, rather than a file of its owner. */
type Shown = Exclude<MediaTarget, { kind: 'source' | 'download' }>;

interface Remembered {
  readonly readAtMs: number;
  readonly facts: Promise<MediaFacts | null>;
  /** False until it is known. */
  exists: boolean;
}

/**
 * Authorizes requests below /media/. Reads the database at most every two seconds per asset, and once a minute for
 * signed addresses.
 */
export class MediaAccess {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #secrets: Secrets;
  readonly #sharesSigned: boolean;
  readonly #switchedOff: SwitchedOff;
  readonly #tokens: MediaTokens;
  readonly #videoFacts: (wanted: WantedVideo) => Promise<MediaFacts | null>;
  readonly #fetches: FetchLog;
  readonly #remembered = new WeightedCache<Remembered>(MAX_REMEMBERED);

  constructor(
    { db, clock, secrets, config }: Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>,
    switchedOff: SwitchedOff = () => [],
  ) {
    this.#switchedOff = switchedOff;
    this.#db = db;
    this.#sharesSigned = config.SHARED_CACHE === 'on';
    this.#clock = clock;
    this.#secrets = secrets;
    this.#tokens = new MediaTokens(secrets);
    this.#videoFacts = batched((wanted: readonly WantedVideo[]) => videoFacts(db, wanted));
    this.#fetches = new FetchLog({ db, clock });
  }

  /**
   * Authorizes the part of an address after `/media/`, still percent-encoded.
   * @throws AppError RESOURCE_NOT_FOUND for malformed and unknown addresses, and for private media without a signature;
   *   UNAUTHORIZED for a wrong signature and for downloads that are switched off, TOKEN_EXPIRED for an old one.
   */
  async authorize(path: string): Promise<MediaGrant | MediaRedirect> {
    const parsed = parseMediaPath(path);
    if (!parsed) throw notFound();
    const { target, token } = parsed;
    const signer = token && this.#signerOf(target, token);
    if (target.kind === 'source') {
      const source = await sourceObject(this.#db, target.videoAssetId);
      if (!source) throw notFound();
      return {
        objectKey: source.objectKey,
        contentType: source.mimeType ?? 'application/octet-stream',
        audience: 'SIGNED',
        downloadAs: target.filename,
        encryptedWith: null,
        sharedSeconds: 0,
      };
    }
    if (target.kind === 'download') return this.#download(target, token);
    const facts = await this.#facts(target, token);
    const audience = audienceOf(facts?.visibility ?? null, token !== null);
    if (!facts || !audience) throw notFound();
    const { objectKey } = target;
    if (target.kind === 'video' && objectKey.endsWith('.m4s')) this.#fetches.note(target.videoAssetId);
    const encrypted = token?.encrypted ?? false;
    if (token && facts.encrypts && !encrypted && STREAM_FILE.test(objectKey)) {
      if (!objectKey.endsWith('.m3u8')) throw onlyEncrypted();
      return { location: encryptedPath(this.#secrets, target, token) };
    }
    if (encrypted && objectKey.endsWith('.mpd')) throw onlyEncrypted();
    // With the key that signed the address: players have its keys, and go on when SECRET_KEY changes.
    const encryptedWith = encrypted ? signer : null;
    const sharedSeconds = token && this.#sharesSigned ? this.#sharedSeconds(token) : 0;
    return { objectKey, contentType: null, audience, downloadAs: null, encryptedWith, sharedSeconds };
  }

  async #download(
    { videoAssetId, file }: MediaTarget & { kind: 'download' },
    token: MediaToken | null,
  ): Promise<MediaGrant> {
    const keyId = token?.keyId ?? null;
    if (!token || keyId !== null) requireFeature('DOWNLOADS', this.#switchedOff());
    const extra = file === 'video.mp4' ? 'videoDownload' : 'audioDownload';
    const found = await downloadFacts(this.#db, videoAssetId, extra, keyId);
    const audience = audienceOf(found?.visibility ?? null, token !== null);
    if (!found?.objectKey || !audience) throw notFound();
    this.#fetches.note(videoAssetId);
    return {
      objectKey: found.objectKey,
      contentType: null,
      audience,
      downloadAs: downloadName(found.title, file),
      encryptedWith: null,
      sharedSeconds: 0,
    };
  }

  /** Never beyond the expiry of the address. */
  #sharedSeconds({ expires }: MediaToken): number {
    return Math.min(SHARED_SECONDS, Math.floor(expires - this.#clock.now() / 1_000));
  }

  #readFacts(target: Shown, keyId: string | null): Promise<MediaFacts | null> {
    switch (target.kind) {
      case 'video':
        return this.#videoFacts({ videoAssetId: target.videoAssetId, contentId: target.contentId, keyId });
      case 'chat':
        return chatFacts(this.#db, target.contentId, keyId);
      case 'image':
        return imageFacts(this.#db, target.imageAssetId, keyId);
    }
  }

  #signerOf(target: MediaTarget, token: MediaToken): Secrets {
    const decision = this.#tokens.verify(target, token, this.#clock.now());
    if (decision.kind === 'expired') {
      throw new AppError('TOKEN_EXPIRED', t`This playback address has expired.`, {
        suggestedFix: t`Request the address again (VideoAsset.playlistUrl, ImageAsset.url) and use the new one.`,
      });
    }
    if (decision.kind === 'forged') {
      throw new AppError('UNAUTHORIZED', t`The signature of this address is not valid.`, {
        suggestedFix: t`Use the address exactly as the API returned it.`,
      });
    }
    return decision.signer;
  }

  #facts(target: Shown, token: MediaToken | null): Promise<MediaFacts | null> {
    const keyId = token?.keyId ?? null;
    const asset = mediaSubject(target);
    const key = keyId === null ? asset : `${asset}/${keyId}`;
    const nowMs = this.#clock.now();
    const known = this.#remembered.get(key);
    if (known && nowMs - known.readAtMs < (token && known.exists ? SIGNED_MS : OPEN_MS)) return known.facts;
    const facts = this.#readFacts(target, keyId);
    const remembered: Remembered = { readAtMs: nowMs, facts, exists: false };
    this.#remembered.set(key, remembered);
    facts.then(
      (found) => {
        remembered.exists = found !== null;
      },
      () => this.#remembered.delete(key),
    );
    return facts;
  }
}

/** Null when the address gives no access: the file does not exist, or requires a signature that the address lacks. */
function audienceOf(visibility: EffectiveVisibility | null, signed: boolean): MediaAudience | null {
  if (visibility === null) return null;
  if (signed) return 'SIGNED';
  return visibility === 'PRIVATE' ? null : visibility;
}

function onlyEncrypted(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This video is played with encrypted segments, by HLS only.`, {
    suggestedFix: t`Play its HLS playlist (VideoAsset.playlistUrl); a player that is running must load it again.`,
  });
}

function notFound(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no such media, or it is not public.`, {
    suggestedFix: t`Use the address the API returned (VideoAsset.playlistUrl, ImageAsset.url); private media need the
      signed one.`,
  });
}
