import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ImageDecoder } from '../../../media/index.ts';
import type { GuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type ResizedImage, resizeImage, workFolders } from '../../assets/index.ts';
import { MediaAccess } from '../../delivery/index.ts';
import { MAX_IMAGE_BYTES } from '../uploads/upload-input.ts';

/** Reads the image at an address supplied by a user. */
export type FetchRemoteImage = (url: string, side: number, signal: AbortSignal) => Promise<ResizedImage>;

const FETCH_TIMEOUT_MS = 8_000;
const IMAGES = 'images/';

/**
 * The image at an address, scaled to `side` pixels on its longer side. Images of this platform are read from the object
 * store, if the address grants access. Others go through the guarded fetcher into a file, so that a slow server costs
 * no memory. Throws the errors of these and of `resizeImage`, with the field `sourceUrl` if the address is the cause.
 */
export function createRemoteImageFetcher(
  platform: Pick<Platform, 'config' | 'db' | 'clock' | 'log' | 'secrets' | 'store'>,
  fetch: GuardedFetch,
  imageDecoder: ImageDecoder,
): FetchRemoteImage {
  const access = new MediaAccess(platform);
  const ownMedia = `${platform.config.BASE_URL}/media/`;
  const folders = workFolders(platform.config.DATA_DIR, platform.log);
  return async (url, side, signal) => {
    if (url.startsWith(ownMedia)) {
      const grant = await access.authorize(url.slice(ownMedia.length)).catch(blameAddress);
      if (!('objectKey' in grant) || !grant.objectKey.startsWith(IMAGES)) throw imageNotFound();
      return platform.store.withLocalFile(grant.objectKey, (path) => resizeImage(imageDecoder, path, side));
    }
    return folders.use(async (folder) => {
      const path = join(folder, 'image');
      const { stream } = await fetch(url, { maxBytes: MAX_IMAGE_BYTES, timeoutMs: FETCH_TIMEOUT_MS, signal });
      await pipeline(stream, createWriteStream(path));
      return resizeImage(imageDecoder, path, side);
    });
  };
}

function blameAddress(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw new AppError(error.code, error.text, { field: 'sourceUrl', suggestedFix: error.fix, cause: error });
}

function imageNotFound(): AppError {
  return new AppError('INVALID_INPUT', t`This address of the platform is not an image.`, {
    field: 'sourceUrl',
    suggestedFix: t`Send the url of an ImageAsset.`,
  });
}
