import { newId } from '../../../kernel/ids.ts';
import type { TimeRange } from '../../../media/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { addClipCaptions, captionsToClip, setClipChapters } from './clip-texts.store.ts';
import { cutCaptions, cutChapters, hasCues, type TimedChapter } from './move-texts.ts';

export interface ClipTexts {
  readonly clipId: string;
  readonly channelId: string;
  /** What the clip is made of. */
  readonly contentId: string;
  readonly videoAssetId: string;
  /** Of that video. */
  readonly range: TimeRange;
  /** Of that video, as viewers see them. */
  readonly chapters: readonly TimedChapter[];
}

/**
 * Gives a new clip the captions and chapters of its range, at its times, in the caller's transaction; captions without
 * a cue there are left out. Returns the ids of captions that were made from speech.
 */
export async function giveClipTexts(
  { clock }: { readonly clock: Clock },
  tx: Transaction,
  { clipId, channelId, contentId, videoAssetId, range, chapters }: ClipTexts,
): Promise<string[]> {
  const nowMs = clock.now();
  const sources = await captionsToClip(tx, contentId, videoAssetId);
  const captions = sources.flatMap(({ id: sourceId, vtt, isSpoken }) => {
    const cut = cutCaptions([range], vtt);
    return hasCues(cut) ? [{ id: newId(nowMs), sourceId, vtt: cut, isSpoken }] : [];
  });
  await addClipCaptions(tx, clipId, captions, new Date(nowMs).toISOString());
  const kept = cutChapters([range], chapters);
  if (kept) await setClipChapters(tx, clipId, kept);
  for (const { id } of captions)
    await appendEvent(tx, {
      ...{ type: 'captions.updated', channelId, subjectId: clipId },
      payload: { captionsId: id },
    });
  return captions.filter(({ isSpoken }) => isSpoken).map(({ id }) => id);
}
