import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { choosePoster } from '../../ingest/index.ts';
import type { CatalogServices } from '../services.ts';
import { retitleContent } from './contents.store.ts';

/** What cards show of a content. */
export interface Presentation {
  readonly title: string;
  /** One of the content's images; null keeps the present one. */
  readonly imageId: string | null;
}

/**
 * Gives a content that the caller has locked a title and an image, and writes content.updated if that changes it;
 * returns whether it does.
 * @throws AppError RESOURCE_NOT_FOUND with `field` for an image that is not the content's.
 */
export async function setPresentation(
  tools: Pick<CatalogServices, 'jobs' | 'clock'>,
  tx: Transaction,
  content: { readonly id: string; readonly channelId: string },
  { title, imageId }: Presentation,
  field: string,
): Promise<boolean> {
  const fields = { content: 'id', image: field, time: field };
  const isRetitled = await retitleContent(tx, content.id, title, tools.clock.now());
  const hasOtherImage =
    imageId !== null && (await choosePoster(tools, tx, content.id, { imageAssetId: imageId }, fields));
  if (!isRetitled && !hasOtherImage) return false;
  await appendEvent(tx, { type: 'content.updated', channelId: content.channelId, subjectId: content.id });
  return true;
}
