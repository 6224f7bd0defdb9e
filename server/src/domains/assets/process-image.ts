import { type ImageAssetId, newId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { appendEvent } from '../../platform/events/event-log.store.ts';
import type { Platform } from '../../platform/platform.ts';
import { insertImageAsset, type NewImageAsset, removeReplacedImages } from './image-assets.store.ts';
import { CONTENT_TYPES } from './image-plan.ts';
import { renderPicture } from './render-image.ts';
import type { ImagePurpose } from './upload-input.ts';

export type ImagePlatform = Pick<Platform, 'clock' | 'db' | 'log' | 'store'>;

/** An image whose files are in the object store, but which nothing refers to yet. */
export type RenderedImage = Omit<NewImageAsset, 'channelId' | 'contentId' | 'playlistId' | 'alt'>;

export interface ImageOwner {
  readonly channelId: string;
  /** Null for the images of channels and playlists. */
  readonly contentId: string | null;
  /** Set for the cover of a playlist. */
  readonly playlistId: string | null;
  readonly alt: string;
}

/** One picture at a time: each may take a few hundred megabytes while it is decoded. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = turn.then(work, work);
  turn = mine.catch(() => {});
  return mine;
}

/**
 * Makes and stores all files of the picture at `path`. Leaves nothing behind when it fails.
 * @throws AppError TRANSCODE_FAILED for anything that is no usable picture.
 */
export async function renderImage(
  platform: ImagePlatform,
  { path, purpose }: { path: string; purpose: ImagePurpose },
): Promise<RenderedImage> {
  const { files, dominantColor, blurhash } = await inTurn(() => renderPicture(path, purpose));
  const id: ImageAssetId = newId<'image-asset'>(platform.clock.now());
  const objectPrefix = `images/${id}/`;
  const [first] = files;
  if (!first) throw new Error('A picture was rendered into nothing.');
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
    sizeBytes: first.bytes.length,
    variants: files.map(({ file, width, height, format, bytes }) => ({ file, width, height, format, sizeBytes: bytes.length })),
    dominantColor,
    blurhash,
  };
}

/** Removes the files of an image that was not kept. */
export async function discardImage({ store, log }: ImagePlatform, { objectPrefix }: Pick<RenderedImage, 'objectPrefix'>): Promise<void> {
  await store
    .deletePrefix(objectPrefix)
    .catch((error: unknown) => log.warn({ error, objectPrefix }, 'the files of an unused image were not removed'));
}

/**
 * Makes a rendered image part of its content, playlist or channel, in the caller's transaction. The newest image of a purpose replaces the
 * earlier ones, except for OTHER; call `forgetReplaced` after the commit to remove their files.
 */
export async function keepImage(
  platform: ImagePlatform,
  tx: Transaction,
  rendered: RenderedImage,
  owner: ImageOwner,
): Promise<{ image: NewImageAsset; forgetReplaced(): Promise<void> }> {
  const image: NewImageAsset = { ...rendered, ...owner };
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

/** Renders the picture at `path` and keeps it: for images that do not come as uploads, such as a video's poster. */
export async function processImage(
  platform: ImagePlatform,
  { path, purpose, ...owner }: Omit<ImageOwner, 'playlistId'> & { readonly path: string; readonly purpose: ImagePurpose },
): Promise<NewImageAsset> {
  const rendered = await renderImage(platform, { path, purpose });
  try {
    const { channelId, contentId, alt } = owner;
    const kept = await platform.db.transaction((tx) => keepImage(platform, tx, rendered, { channelId, contentId, playlistId: null, alt }));
    await kept.forgetReplaced();
    return kept.image;
  } catch (error) {
    await discardImage(platform, rendered);
    throw error;
  }
}
