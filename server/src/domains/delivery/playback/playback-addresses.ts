import type { Platform } from '../../../platform/platform.ts';
import {
  CHAT_FILE,
  type Lease,
  leasedAddress,
  MASTER_PLAYLIST,
  mediaAddress,
  videoPrefix,
} from '../../assets/index.ts';
import type { PlayedContent } from './playback.store.ts';

/** What a token or a link allows to play. */
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

/** Of which content the addresses are, and how long they work. */
interface Admission {
  readonly contentId: string;
  readonly lease: Lease;
  readonly nowMs: number;
}

/** The addresses of a content's files; null when there is nothing to play. */
export function playbackOf(
  { secrets, config }: Pick<Platform, 'secrets' | 'config'>,
  facts: PlayedContent,
  { contentId, lease, nowMs }: Admission,
): Playback | null {
  const { title, packagePrefix: prefix, manifestPrefix, open, dash, posterKey, thumbnails, width, height } = facts;
  const { hasChat, videoAssetId } = facts;
  if (prefix === null || manifestPrefix === null || title === null) return null;
  const context = { baseUrl: config.BASE_URL, secrets, nowMs };
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

/** The address of the first image becomes the pattern. */
function storyboardOf(
  address: (path: string) => string,
  { pattern, count, vtt }: NonNullable<PlayedContent['thumbnails']>,
): Playback['storyboard'] {
  if (count === 0) return null;
  const first = address(pattern.replace('%05d', '00001'));
  const at = first.lastIndexOf('00001');
  const urlFormat = `${first.slice(0, at)}%05d${first.slice(at + 5)}`;
  return { urlFormat, count, vtt: vtt === undefined ? null : address(vtt) };
}
