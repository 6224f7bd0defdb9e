import { type ImageAssetId, newId } from '../../../kernel/ids.ts';
import type { ImageDecoder } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ImagePurpose } from '../media-hints.ts';
import {
  hastenObjectPurge,
  objectPurgeDone,
  orderObjectPurge,
  withdrawObjectPurge,
} from '../quota/object-purges.store.ts';
import { insertImageAsset, type NewImageAsset, removeReplacedImages } from './image-assets.store.ts';
import { CONTENT_TYPES } from './image-plan.ts';
import { type RenderedVariants, renderVariants } from './render-image.ts';

export type ImagePlatform = Pick<Platform, 'clock' | 'db' | 'log' | 'store'>;

export interface ImageTools {
  readonly platform: ImagePlatform;
  readonly imageDecoder: ImageDecoder;
}

/** An unreferenced image, with files in the object store. */
export type RenderedImage = Omit<NewImageAsset, keyof ImageOwner>;

export interface ImageOwner {
  readonly channelId: string;
  /** Null for the images of channels and playlists. */
  readonly contentId: string | null;
  /** Set for the cover of a playlist. */
  readonly playlistId: string | null;
  /** The video that a poster was taken from without being asked for; null for images that somebody chose. */
  readonly videoAssetId: string | null;
  readonly alt: string;
}

/** Unreferenced files are deleted after this time; no job takes this long. */
const UNKEPT_MS = 2 * 86_400_000;

/**
 * Renders and stores all variants of the image at `path`. Leaves nothing behind when it fails: their deletion is
 * scheduled before they are stored and cancelled by `keepImage`.
 * @throws AppError TRANSCODE_FAILED for anything that is not a usable image, SERVICE_UNAVAILABLE while images cannot be
 *   decoded.
 */
export async function renderImage(
  { platform, imageDecoder }: ImageTools,
  { path, purpose }: { path: string; purpose: ImagePurpose },
): Promise<RenderedImage> {
  return storeVariants(platform, purpose, await renderVariants(imageDecoder, path, purpose));
}

/** Stores rendered variants as `renderImage` does. */
export async function storeVariants(
  platform: ImagePlatform,
  purpose: ImagePurpose,
  rendered: RenderedVariants,
): Promise<RenderedImage> {
  const { files } = rendered;
  const id: ImageAssetId = newId<'image-asset'>(platform.clock.now());
  const objectPrefix = `images/${id}/`;
  const [first] = files;
  if (!first) throw new Error('An image was rendered without variants.');
  await orderObjectPurge(platform.db, objectPrefix, platform.clock.now() + UNKEPT_MS);
  try {
    for (const { file, format, bytes } of files)
      await platform.store.put(objectPrefix + file, bytes, { contentType: CONTENT_TYPES[format] });
  } catch (error) {
    await discardImage(platform, { objectPrefix });
    throw error;
  }
  return {
    id,
    purpose,
    objectPrefix,
    width: first.width,
    height: first.height,
    mimeType: CONTENT_TYPES[first.format],
    ...describeVariants(rendered),
  };
}

/** What the row of an image says of its files. */
export function describeVariants({ files, dominantColor, blurhash }: RenderedVariants) {
  const variants = files.map(({ file, width, height, format, bytes }) => ({
    ...{ file, width, height, format, sizeBytes: bytes.length },
  }));
  return { sizeBytes: variants[0]?.sizeBytes ?? 0, variants, dominantColor, blurhash };
}

/**
 * Removes the files of an image that is not referenced; those of a referenced image stay, even when its commit was not
 * acknowledged.
 */
export async function discardImage(
  { clock, db, store, log }: ImagePlatform,
  { objectPrefix }: Pick<RenderedImage, 'objectPrefix'>,
): Promise<void> {
  try {
    const orders = await hastenObjectPurge(db, objectPrefix, clock.now());
    if (orders.length === 0) return;
    await store.deletePrefix(objectPrefix);
    for (const id of orders) await objectPurgeDone(db, id);
  } catch (error) {
    log.warn({ error, objectPrefix }, 'the files of an unused image were not removed yet');
  }
}

/**
 * Attaches a rendered image to its content, playlist or channel, in the caller's transaction. The newest image of a
 * purpose replaces the earlier ones, except for OTHER; call `forgetReplaced` after the commit to remove their files.
 */
export async function keepImage(
  platform: ImagePlatform,
  tx: Transaction,
  rendered: RenderedImage,
  owner: ImageOwner,
): Promise<{ image: NewImageAsset; forgetReplaced(): Promise<void> }> {
  const image: NewImageAsset = { ...rendered, ...owner };
  if (!(await withdrawObjectPurge(tx, image.objectPrefix)))
    throw new Error(`The files of image ${image.id} were removed before it was kept.`);
  await insertImageAsset(tx, image, new Date(platform.clock.now()).toISOString());
  const replaced = image.purpose === 'OTHER' ? [] : await removeReplacedImages(tx, image);
  const { id, channelId, contentId, playlistId, purpose } = image;
  await appendEvent(tx, { type: 'image.ready', channelId, subjectId: id, payload: { contentId, playlistId, purpose } });
  return {
    image,
    async forgetReplaced() {
      for (const objectPrefix of replaced) await discardImage(platform, { objectPrefix });
    },
  };
}

/**
 * Attaches a rendered image to the owner that `ownerIn` returns in the same transaction, and removes the replaced
 * files; without an owner, returns null and removes the new files. Those are also removed when the transaction fails.
 */
export async function keepOrDiscard(
  platform: ImagePlatform,
  rendered: RenderedImage,
  ownerIn: (tx: Transaction) => Promise<ImageOwner | null>,
): Promise<NewImageAsset | null> {
  try {
    const kept = await platform.db.transaction(async (tx) => {
      const owner = await ownerIn(tx);
      return owner && keepImage(platform, tx, rendered, owner);
    });
    if (kept) await kept.forgetReplaced();
    else await discardImage(platform, rendered);
    return kept?.image ?? null;
  } catch (error) {
    await discardImage(platform, rendered);
    throw error;
  }
}
