import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import {
  ADDED_CODECS,
  type AddedCodec,
  isVideo,
  planCodec,
  type Rendition,
  type VideoRendition,
} from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { renditionsOfVideo } from '../../assets/index.ts';
import type { HeldJob, PlanningTools } from '../../transcode/index.ts';
import { planAddition, requireExtendable } from '../additions/plan-addition.ts';

interface Tools extends PlanningTools {
  /** That ffmpeg encodes; default all. */
  readonly codecs?: readonly AddedCodec[];
}

/**
 * Plans the encoding of a complete video in another codec, with the segments that it has.
 * @throws AppError TRANSCODE_FAILED where that is not possible.
 */
export async function planCodecJob(tools: Tools, held: HeldJob, codec: AddedCodec, signal: AbortSignal): Promise<void> {
  const { platform, stages, codecs = ADDED_CODECS } = tools;
  if (!codecs.includes(codec)) throw unsuitable(t`This build of ffmpeg has no encoder of ${codec}.`);
  const video = await requireExtendable(tools, held);
  const beside = await sizeBeside(platform.db, held);
  if (!beside) throw unsuitable(t`The video has no encoded size.`);
  const { facts, ffmpeg, only } = video.encoded.plan;
  const planned = planCodec(facts, codec, beside, stages);
  if (!planned) throw unsuitable(t`The video is too small for ${codec}, or its segments cannot be found in the file.`);
  const plan = { ...planned, ...(ffmpeg === undefined ? {} : { ffmpeg }), ...(only === undefined ? {} : { only }) };
  await planAddition(tools, held, video, () => plan, signal);
}

/** The largest encoded size of a video, whose segments others have, too; null where it has none. */
export async function sizeBeside(
  db: Executor,
  { videoAssetId, contentId }: { readonly videoAssetId: string; readonly contentId: string },
): Promise<VideoRendition | null> {
  const renditions: readonly Rendition[] = await renditionsOfVideo(db, videoAssetId, contentId);
  return renditions.filter(isVideo).find(({ origin, enhanced }) => origin === 'ENCODE' && !enhanced) ?? null;
}

function unsuitable(message: Text): AppError {
  return new AppError('TRANSCODE_FAILED', message);
}
