import { REMUXED_PATH } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { copyPrefix } from '../../assets/index.ts';

/** Key of the file in the package of a video that its segments are cut from; null where they are not. */
export async function remuxedKey(
  store: Pick<Platform['store'], 'head'>,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
  packagePrefix: string | null,
): Promise<string | null> {
  const prefix = copyPrefix(contentId, videoAssetId);
  return packagePrefix === prefix && (await store.head(prefix + REMUXED_PATH)) ? prefix + REMUXED_PATH : null;
}
