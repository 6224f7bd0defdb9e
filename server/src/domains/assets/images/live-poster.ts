import type { Transaction } from '../../../platform/db/database.ts';
import { CONTENT_TYPES } from './image-plan.ts';
import { lockContentForFrame, lockFramePoster, refreshPoster } from './live-posters.store.ts';
import { describeVariants, type ImageTools, keepOrDiscard, storeVariants } from './process-image.ts';
import { type RenderedVariants, renderVariants } from './render-image.ts';

export interface LivePoster {
  /** Of a picture. */
  readonly path: string;
  readonly contentId: string;
  /** That the picture is a frame of. */
  readonly videoAssetId: string;
}

/**
 * Shows a frame of a video as the poster of its content, in place of the one before, at the same address: one picture
 * is stored, and whoever asks for it gets the newest one. A picture that somebody chose stays. `isWanted` is asked in
 * the transaction.
 * @throws AppError as `renderImage`.
 */
export async function showLivePoster(
  tools: ImageTools,
  { path, contentId, videoAssetId }: LivePoster,
  isWanted: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  const { platform, imageDecoder } = tools;
  const rendered = await renderVariants(imageDecoder, path, 'POSTER', { isChanging: true });
  const isShown = await platform.db.transaction(async (tx) => {
    const shown = await lockFramePoster(tx, contentId, videoAssetId);
    if (!shown || !haveSameNames(shown, rendered) || !(await isWanted(tx))) return false;
    for (const { file, format, bytes } of rendered.files)
      await platform.store.put(shown.objectPrefix + file, bytes, { contentType: CONTENT_TYPES[format] });
    const now = new Date(platform.clock.now()).toISOString();
    await refreshPoster(tx, shown.id, describeVariants(rendered), now);
    return true;
  });
  if (isShown) return;
  await keepOrDiscard(platform, await storeVariants(platform, 'POSTER', rendered), async (tx) => {
    const content = await lockContentForFrame(tx, contentId, videoAssetId);
    if (!content || !(await isWanted(tx))) return null;
    return { channelId: content.channelId, contentId, playlistId: null, videoAssetId, alt: content.title };
  });
}

function haveSameNames(
  { variants }: { readonly variants: readonly { readonly file: string }[] },
  { files }: RenderedVariants,
): boolean {
  return variants.length === files.length && variants.every(({ file }, index) => file === files[index]?.file);
}
