import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  type ImageTools,
  keepOrDiscard,
  lockContentWithoutPoster,
  renderImage,
  workFolders,
} from '../../assets/index.ts';

const MAX_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

export interface PosterRequest {
  readonly contentId: string;
  /** On the public internet. */
  readonly url: string;
}

/**
 * Fetches an image and makes it the poster of a content that has none; a content that has one by then, or was deleted,
 * is left unchanged.
 * @throws AppError INVALID_INPUT for the address, TRANSCODE_FAILED for a file that is not an image, SERVICE_UNAVAILABLE
 *   for transient errors.
 */
export async function fetchPoster(
  tools: ImageTools & { readonly platform: Pick<Platform, 'config' | 'log'>; readonly fetch: GuardedFetch },
  { contentId, url }: PosterRequest,
  signal: AbortSignal,
): Promise<void> {
  const { platform, fetch } = tools;
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const path = join(folder, 'image');
    const body = await fetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
    await pipeline(body.stream, createWriteStream(path));
    const rendered = await renderImage(tools, { path, purpose: 'POSTER' });
    await keepOrDiscard(platform, rendered, async (tx) => {
      const content = await lockContentWithoutPoster(tx, contentId);
      return (
        content && { channelId: content.channelId, contentId, playlistId: null, videoAssetId: null, alt: content.title }
      );
    });
  });
}
