import { isUuid } from '../../kernel/ids.ts';
import { DOWNLOADS_FOLDER, INDEX_FOLDER } from '../../media/index.ts';
import { type Secrets, signerOf } from '../../platform/config/secret-key.ts';
import { readTicket, type SignedTicket, writeTicket } from '../../platform/signed-ticket.ts';
import { WeightedCache } from '../../platform/weighted-cache.ts';

/**
 * Addresses of media. Public media lies at `/media/` plus a path; private or unpublished media at
 * `/media/s/<expires>.<signature>/` plus the same path, or `/media/s/<expires>.<key>-<signature>/` if a signing key of
 * the channel, a share or a link allowed it. The token comes before the path, so that relative addresses in a playlist
 * keep it. A signature covers all files of one asset. `/media/e/` instead of `/media/s/` is the same with encrypted
 * segments.
 */
export type MediaTarget =
  | { readonly kind: 'video'; readonly contentId: string; readonly videoAssetId: string; readonly objectKey: string }
  /** The chat of a stream that has no video. */
  | { readonly kind: 'chat'; readonly contentId: string; readonly objectKey: string }
  | { readonly kind: 'image'; readonly imageAssetId: string; readonly objectKey: string }
  /** A download of a video; public only if the owner allows it. */
  | { readonly kind: 'download'; readonly videoAssetId: string; readonly file: DownloadFile }
  /** The uploaded file; always signed. */
  | { readonly kind: 'source'; readonly videoAssetId: string; readonly filename: string };

/** Kind of download: video with audio, or audio only. */
export type DownloadFile = 'video.mp4' | 'audio.m4a';

/** `keyId` is the signing key, account or link that allowed it ({@link Lease}); null for one of the platform. */
export interface MediaToken extends SignedTicket {
  /** Whether segments are sent encrypted at this address. */
  readonly encrypted: boolean;
}

export interface AddressContext {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly nowMs: number;
}

/**
 * A permission that somebody gave: by a signing key, to an account that the content is shared with, or by a link. It
 * ends with the key, the share or the link of this id.
 */
export interface Lease {
  readonly keyId: string;
  /** Unix seconds. */
  readonly expires: number;
}

/** Names of the manifests of a video, which are below its own folder, or in the packages of earlier versions. */
export const MASTER_PLAYLIST = 'master.m3u8';
export const DASH_MANIFEST = 'manifest.mpd';
/** The chat of a stream, beside them. */
export const CHAT_FILE = 'chat.json';
const BESIDE_PACKAGES: readonly string[] = [MASTER_PLAYLIST, DASH_MANIFEST, CHAT_FILE];
/** Minimum validity of signed addresses; at most an hour longer. */
const VALID_SECONDS = 6 * 3600;
const STEP_SECONDS = 3600;
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const MAX_FILENAME_CHARACTERS = 1_000;
const MAX_GENUINE = 10_000;

/** Key prefix of one packaging of a video; every attempt has its own, so that addresses never change their bytes. */
export function packagePrefix(contentId: string, videoAssetId: string, jobId: string, attempt: number): string {
  return `media/${contentId}/${videoAssetId}/${jobId.slice(-12)}-${attempt}/`;
}

/** The last part of a package's prefix, its folder below that of the video. */
export function nameOfPackage(prefix: string): string {
  return prefix.split('/').at(-2) ?? '';
}

/** Folder of a package whose segments are cut from the uploaded file; another way of cutting gets another name. */
export const COPY_NAME = 'copy-1';

/** Key prefix of the package that plays the uploaded file without encoding. */
export function copyPrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${COPY_NAME}/`;
}

/** Folder of the segments of a video that is played while its upload arrives. */
export const ARRIVING_NAME = 'arriving';

/** Key prefix of the package that plays an upload while it arrives. */
export function arrivingPrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${ARRIVING_NAME}/`;
}

/**
 * Ends the folder of a package whose segments are encoded when they are requested. What precedes it is the folder of
 * the package that is encoded meanwhile, which has the same segments.
 */
export const ON_DEMAND_SUFFIX = '-on-demand';

/** Package of sound that is encoded on request, beside pictures that are cut from the uploaded file. */
export const COPIED_SOUND_NAME = `${COPY_NAME}${ON_DEMAND_SUFFIX}`;

/** Its key prefix. */
export function copiedSoundPrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/${COPIED_SOUND_NAME}/`;
}

/** Key prefix of what is played while a job encodes the video. */
export function onDemandPrefix(contentId: string, videoAssetId: string, jobId: string, attempt: number): string {
  return `${packagePrefix(contentId, videoAssetId, jobId, attempt).slice(0, -1)}${ON_DEMAND_SUFFIX}/`;
}

/** Where segments of an evicted rendition are encoded on demand; folders are those below the video's. */
export function onDemandFolder(folder: string): string {
  return folder.replace('/', `${ON_DEMAND_SUFFIX}/`);
}

/** Key prefix of the manifests, captions and packages of a video. */
export function videoPrefix(contentId: string, videoAssetId: string): string {
  return `media/${contentId}/${videoAssetId}/`;
}

/** Key of the chat of a stream that has no video: one that is scheduled, or was. */
export function chatKeyOf(contentId: string): string {
  return `media/chats/${contentId}/${CHAT_FILE}`;
}

/** Key of the uploaded file. */
export function sourceKey(videoAssetId: string): string {
  return `sources/${videoAssetId}`;
}

/**
 * Absolute address of an object whose key begins with `media/` or `images/` (`package_prefix` or `object_prefix` plus a
 * file name). With `open`, the unsigned address, which works while the content is published; otherwise a signed one.
 */
export function mediaAddress(context: AddressContext, objectKey: string, open: boolean): string {
  const path = objectKey.startsWith('media/') ? objectKey.slice('media/'.length) : objectKey;
  return open ? `${context.baseUrl}/media/${path}` : signed(context, path);
}

/** How the address of a media object is made for a viewer: plain, signed, or leased to this account. */
export type MediaPermission = 'OPEN' | 'SIGNED' | `${string}-${string}-${string}-${string}-${string}`;

/** As `mediaAddress`, as the permission of the viewer says. */
export function permittedAddress(context: AddressContext, objectKey: string, permission: MediaPermission): string {
  if (permission === 'OPEN' || permission === 'SIGNED') return mediaAddress(context, objectKey, permission === 'OPEN');
  return leasedAddress(context, objectKey, { keyId: permission, expires: roundedExpiry(context.nowMs) });
}

/** As `mediaAddress`, signed: valid until the lease expires, and as long as its key exists. */
export function leasedAddress(context: AddressContext, objectKey: string, lease: Lease): string {
  const path = objectKey.startsWith('media/') ? objectKey.slice('media/'.length) : objectKey;
  return signedUntil(context, path, { ...lease, encrypted: false });
}

/** Signed address at which the owner downloads the uploaded file, under its original name. */
export function sourceAddress(context: AddressContext, videoAssetId: string, filename: string): string {
  return signed(context, `sources/${videoAssetId}/${encodeURIComponent(filename)}`);
}

/** Address of a download of a video, as the permission of the viewer says. */
export function downloadAddress(
  context: AddressContext,
  videoAssetId: string,
  file: DownloadFile,
  permission: MediaPermission,
): string {
  const path = `downloads/${videoAssetId}/${file}`;
  if (permission === 'OPEN') return `${context.baseUrl}/media/${path}`;
  if (permission === 'SIGNED') return signed(context, path);
  const expires = roundedExpiry(context.nowMs);
  return signedUntil(context, path, { keyId: permission, expires, encrypted: false });
}

function signed(context: AddressContext, path: string): string {
  return signedUntil(context, path, { expires: roundedExpiry(context.nowMs), keyId: null, encrypted: false });
}

/** Rounded up to the hour: a page requested twice contains the same addresses, so browsers can cache. */
function roundedExpiry(nowMs: number): number {
  return (Math.ceil(nowMs / 1_000 / STEP_SECONDS) + VALID_SECONDS / STEP_SECONDS) * STEP_SECONDS;
}

function signedUntil({ baseUrl, secrets }: AddressContext, path: string, token: Omit<MediaToken, 'signature'>): string {
  const target = parseTarget(path);
  if (!target) throw new Error(`Not the path of a media object: ${path}`);
  const signature = secrets.mac('media-address', signedText(target, token)).toString('base64url');
  const ticket = writeTicket({ ...token, signature });
  return `${baseUrl}/media/${token.encrypted ? 'e' : 's'}/${ticket}/${path}`;
}

/** The path of the same file with encrypted segments, for the holder of a token. */
export function encryptedPath(
  secrets: Secrets,
  { objectKey }: { readonly objectKey: string },
  token: MediaToken,
): string {
  const context = { baseUrl: '', secrets, nowMs: 0 };
  return signedUntil(context, objectKey.slice('media/'.length), { ...token, encrypted: true });
}

/** Parses the part of an address after `/media/`, still percent-encoded; null when it is not a valid path. */
export function parseMediaPath(path: string): { target: MediaTarget; token: MediaToken | null } | null {
  const encrypted = path.startsWith('e/');
  if (!path.startsWith('s/') && !encrypted) {
    const target = parseTarget(path);
    return target && target.kind !== 'source' ? { target, token: null } : null;
  }
  const [, text = '', ...rest] = path.split('/');
  const ticket = readTicket(text);
  const target = parseTarget(rest.join('/'));
  return ticket && target ? { target, token: { ...ticket, encrypted } } : null;
}

/** Decision about the token of an address; `signer` is the key that signed it. */
export type TokenDecision =
  | { readonly kind: 'valid'; readonly signer: Secrets }
  | { readonly kind: 'expired' }
  | { readonly kind: 'forged' };

/** Verifies the tokens of addresses, each signature once as long as it is remembered. */
export class MediaTokens {
  readonly #secrets: Secrets;
  readonly #genuine = new WeightedCache<Secrets>(MAX_GENUINE);

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** How many tokens are remembered. */
  get remembered(): number {
    return this.#genuine.size;
  }

  /** Whether the token was issued for this target and is still valid at `nowMs`. */
  verify(target: MediaTarget, token: MediaToken, nowMs: number): TokenDecision {
    const key = `${token.encrypted}.${token.expires}.${token.keyId}.${token.signature}/${mediaSubject(target)}`;
    let signer = this.#genuine.get(key) ?? null;
    if (!signer) {
      signer = signerOf(this.#secrets, 'media-address', signedText(target, token), token.signature);
      if (!signer) return { kind: 'forged' };
      this.#genuine.set(key, signer);
    }
    return token.expires * 1_000 > nowMs ? { kind: 'valid', signer } : { kind: 'expired' };
  }
}

function parseTarget(path: string): MediaTarget | null {
  const parts = path.split('/');
  const [first = '', second = '', third = ''] = parts;
  if (first === 'sources') {
    const filename = parts.length === 3 && third.length <= MAX_FILENAME_CHARACTERS ? decode(third) : null;
    return filename !== null && isUuid(second) ? { kind: 'source', videoAssetId: second, filename } : null;
  }
  if (first === 'chats') {
    const known = parts.length === 3 && isUuid(second) && third === CHAT_FILE;
    return known ? { kind: 'chat', contentId: second, objectKey: chatKeyOf(second) } : null;
  }
  if (first === 'downloads') {
    const known = parts.length === 3 && isUuid(second) && (third === 'video.mp4' || third === 'audio.m4a');
    return known ? { kind: 'download', videoAssetId: second, file: third } : null;
  }
  if (!parts.every((part) => NAME.test(part))) return null;
  if (first === 'images') {
    return parts.length === 3 && isUuid(second) ? { kind: 'image', imageAssetId: second, objectKey: path } : null;
  }
  const isBesidePackages = parts.length === 3 && BESIDE_PACKAGES.includes(third);
  if (!isBesidePackages && (parts.length < 4 || parts.length > 6)) return null;
  if (!isUuid(first) || !isUuid(second)) return null;
  // Permission to play a video does not allow downloading it by guessing the address of the file; an index is internal.
  if (parts[3] === DOWNLOADS_FOLDER || parts[3] === INDEX_FOLDER) return null;
  return { kind: 'video', contentId: first, videoAssetId: second, objectKey: `media/${path}` };
}

/** Null also for another spelling than that of `encodeURIComponent`. */
function decode(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text);
    return encodeURIComponent(decoded) === text ? decoded : null;
  } catch {
    return null;
  }
}

function signedText(target: MediaTarget, { expires, keyId, encrypted }: Omit<MediaToken, 'signature'>): string {
  return `${mediaSubject(target)}.${expires}${keyId === null ? '' : `.${keyId}`}${encrypted ? '.encrypted' : ''}`;
}

/** What identifies a target: its address is signed with it. */
export function mediaSubject(target: MediaTarget): string {
  switch (target.kind) {
    case 'video':
      return `${target.contentId}/${target.videoAssetId}`;
    case 'chat':
      return `chats/${target.contentId}`;
    case 'image':
      return `images/${target.imageAssetId}`;
    case 'download':
      return `downloads/${target.videoAssetId}`;
    case 'source':
      return `sources/${target.videoAssetId}`;
  }
}
