import { readNew } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { type ContentId, newId } from '../../../kernel/ids.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { TimeRange } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { giveClipTexts, openCut, requireCuttable, startCutting, startRevert } from '../../transcode/index.ts';
import { shownChapters } from '../chapters/chapters.ts';
import { CONTENT_CHANGE, checkHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { VIDEO_FIELDS } from '../contents/content-fields.ts';
import { insertContent, lockContent } from '../contents/contents.store.ts';
import { lockReplaceable } from '../replacement/replace-video.ts';
import { timedTextsOf } from '../replacement/replacement.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { layoutOf, setClipSource } from './clips.store.ts';
import { readBroadcastRange, readKeptRanges, readRange } from './read-ranges.ts';

/**
 * Has ranges of the account's video kept; returns the id of the job. It is played as it is until the result can be.
 * @throws AppError for the content, its state and the ranges; INVALID_INPUT while its video is processed, and where its
 *   uploaded file was deleted.
 */
export function trimVideo(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  keep: readonly TimeRange[],
): Promise<string> {
  return tools.db.transaction(async (tx) => {
    const { id: contentId, channelId } = await lockReplaceable(tx, actor, content);
    const video = await requireCuttable(tx, contentId, 'id');
    const ranges = readKeptRanges(keep, video.durationMs, 'input.keep');
    return startCutting(tools, tx, { contentId, channelId, video, ranges, isTrim: true, field: 'id' });
  });
}

/** Has the uploaded file of the account's trimmed video played again; returns the id of the job. */
export function revertVideo(tools: CatalogServices, actor: Actor, content: ContentTarget): Promise<string> {
  return tools.db.transaction(async (tx) => {
    const { id: contentId, channelId } = await lockReplaceable(tx, actor, content);
    return startRevert(tools, tx, { contentId, channelId, field: 'id' });
  });
}

export interface ClipInput extends TimeRange {
  readonly title: string;
}

export interface StartedClip {
  readonly contentId: ContentId;
  readonly jobId: string;
}

/**
 * Creates a private content of a range of the account's video, with the captions and chapters there, which is processed
 * and not published. Whoever may change a video may create others in its channel. Of a broadcast, also while it goes
 * on: a range of what is stored of it.
 * @throws AppError for the content, the title and the range, and where the uploaded file was deleted.
 */
export function createClip(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  { title, startMs, endMs }: ClipInput,
): Promise<StartedClip> {
  const nowMs = tools.clock.now();
  const field = 'input.content';
  return tools.db.transaction(async (tx) => {
    const found = await lockContent(tx, content, actor.scope);
    authorize(CONTENT_CHANGE, found, field);
    const none = checkHasVideo(content.kind, field);
    if (none) throw none;
    const { channelId } = found;
    const source = await clipSource(tools, tx, found.id, { startMs, endMs }, field);
    const { range } = source;
    const layout = await layoutOf(tx, found.id);
    const values = readNew(VIDEO_FIELDS, { title, visibility: 'PRIVATE', layout });
    const contentId = newId<'content'>(nowMs);
    const kind: ContentKind = content.kind === 'SHORT' ? 'SHORT' : 'FEATURE';
    const plan = { publishWhenReady: false, releaseAt: null };
    await insertContent(tx, { id: contentId, channel: channelId, kind, values, ...plan }, nowMs);
    await setClipSource(tx, contentId, { contentId: found.id, ...range });
    await appendEvent(tx, { type: 'content.created', channelId, subjectId: contentId });
    const { chapters: set, summary: description, durationMs } = await timedTextsOf(tx, found.id);
    const chapters = shownChapters({ set, description, durationMs });
    const from = { contentId: found.id, videoAssetId: source.videoAssetId, range, chapters };
    const spokenCaptions = await giveClipTexts(tools, tx, { clipId: contentId, channelId, ...from });
    return { contentId, jobId: await source.start({ contentId, channelId, spokenCaptions }) };
  });
}

/** A range of a video, of which a clip is made. */
interface ClipSource {
  readonly videoAssetId: string;
  readonly range: TimeRange;
  /** Queues that; returns the id of the job. */
  start(clip: {
    readonly contentId: ContentId;
    readonly channelId: string;
    readonly spokenCaptions: readonly string[];
  }): Promise<string>;
}

/** From the file of a video, or from the segments of a broadcast. @throws AppError for the content and the range. */
async function clipSource(
  tools: CatalogServices,
  tx: Transaction,
  contentId: ContentId,
  wanted: TimeRange,
  field: string,
): Promise<ClipSource> {
  const broadcast = await tools.broadcastClips.find(tx, contentId);
  if (broadcast) {
    const range = readBroadcastRange(wanted, broadcast, 'input');
    return {
      ...{ videoAssetId: broadcast.videoAssetId, range },
      async start({ spokenCaptions, ...clip }) {
        const jobId = await openCut(tools, tx, { ...clip, field });
        await broadcast.startClip(tx, range, { jobId, spokenCaptions, field });
        return jobId;
      },
    };
  }
  const video = await requireCuttable(tx, contentId, field);
  const range = readRange(wanted, video.durationMs, 'input');
  return {
    ...{ videoAssetId: video.id, range },
    start: (clip) => startCutting(tools, tx, { ...clip, video, ranges: [range], isTrim: false, field }),
  };
}
