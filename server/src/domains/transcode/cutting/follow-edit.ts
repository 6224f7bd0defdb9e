import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { editOf, moveCaptions, pointCaptions, timedTexts, writeMovedTexts } from './edits.store.ts';
import { moveTexts } from './move-texts.ts';

/**
 * Has captions and chapters of a content follow its video, in the transaction that plays a trimmed video, or the
 * original again, in place of the earlier one. Does nothing for other videos, and once it is done. The caller has
 * locked the content.
 */
export async function followEdit(
  tx: Transaction,
  { contentId, channelId, videoAssetId }: { contentId: string; channelId: string; videoAssetId: string },
  now: string,
): Promise<void> {
  const edit = await editOf(tx, videoAssetId);
  if (!edit) return;
  const { captions, chapters, before } = moveTexts(await timedTexts(tx, contentId), edit.from, edit.to, edit.before);
  await moveCaptions(tx, captions, now);
  await pointCaptions(tx, contentId, videoAssetId);
  await writeMovedTexts(tx, { videoAssetId, contentId, chapters, before });
  for (const { id } of captions)
    await appendEvent(tx, {
      ...{ type: 'captions.updated', channelId, subjectId: contentId },
      payload: { captionsId: id },
    });
}
