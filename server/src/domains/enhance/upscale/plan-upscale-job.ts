import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  type EncodePlan,
  gateSeconds,
  gateSource,
  isUpscalerInstalled,
  planUpscale,
  type UpscalePlan,
} from '../../../media/index.ts';
import { giveUpOriginal, lockContentOfVideo, refundCharge, workFolders } from '../../assets/index.ts';
import {
  completeTranscodeJob,
  type HeldJob,
  type PlanningTools,
  recordPlanning,
  reportJob,
} from '../../transcode/index.ts';
import { completeEnhancement } from '../additions/enhancements.store.ts';
import { planAddition, requireExtendable } from '../additions/plan-addition.ts';
import { sizeBeside } from '../codecs/plan-codec-job.ts';
import { orderedModel } from './offered-models.ts';
import type { ChosenUpscale } from './order-upscale.ts';
import { upscaleReceiptOf } from './upscale-receipt.ts';

/** The gate found no scene that gains: nothing is encoded. */
class NoGain extends Error {
  readonly upscale: UpscalePlan;

  constructor(upscale: UpscalePlan) {
    super('no scene gains');
    this.upscale = upscale;
  }
}

/**
 * Decides how each scene of a video is upscaled, and plans the encoding of the target. Ends the job where no scene
 * gains.
 * @throws AppError TRANSCODE_FAILED where that is not possible.
 */
export async function planUpscaleJob(
  tools: PlanningTools,
  held: HeldJob,
  { digest, ...chosen }: ChosenUpscale,
  signal: AbortSignal,
): Promise<void> {
  const { platform, runner, sources, stages, models } = tools;
  const { config, db, log } = platform;
  if (!isUpscalerInstalled())
    throw new AppError('TRANSCODE_FAILED', t`This server cannot upscale: ONNX Runtime is not installed.`, {
      suggestedFix: t`Ask its operator to run \`npm install --include=optional\`.`,
    });
  const operator = await orderedModel(db, { model: chosen.model, ...(digest === undefined ? {} : { digest }) });
  const wanted = { ...chosen, ...(operator ? { operator } : {}) };
  const video = await requireExtendable(tools, held);
  const beside = await sizeBeside(db, held);
  const encoded = video.encoded.plan;
  const planOf = (upscale: UpscalePlan): EncodePlan => {
    const plan = beside && planUpscale(encoded, upscale, beside, stages);
    if (!plan) throw new AppError('TRANSCODE_FAILED', t`The segments of the video cannot be found in its file.`);
    return plan;
  };
  const planFrom = async (key: string): Promise<EncodePlan> => {
    const ungated = planOf({ ...wanted, scenes: [] });
    const startedAt = performance.now();
    const here = models && (await models.here({ ...wanted, scenes: [] }));
    const located = here ? { ...ungated, upscale: here } : ungated;
    const gated = await workFolders(config.DATA_DIR, log).use((folder) =>
      sources.use(key, (inputPath) =>
        gateSource(runner, located, { inputPath, workDir: join(folder, 'gate'), signal }),
      ),
    );
    await recordPlanning(db, 'upscale-plan', 1000 * gateSeconds(encoded.facts, located.upscale ?? wanted), startedAt);
    const upscale = { ...wanted, ...gated };
    if (gated.figures.enhancedPercent === 0) throw new NoGain(upscale);
    return planOf(upscale);
  };
  try {
    await planAddition(tools, held, video, planFrom, signal);
  } catch (error) {
    if (!(error instanceof NoGain)) throw error;
    await endWithoutGain(tools, held, error.upscale);
  }
}

async function endWithoutGain(
  { platform: { db, clock } }: PlanningTools,
  { jobId, attempt, contentId, channelId, videoAssetId }: HeldJob,
  upscale: UpscalePlan,
): Promise<void> {
  const { figures } = upscale;
  if (!figures) throw new Error('the plan has no figures of the gate');
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    await lockContentOfVideo(tx, contentId);
    if (!(await completeTranscodeJob(tx, jobId, attempt, new Date(nowMs).toISOString())))
      throw new Error('the job was taken over or cancelled before it could be completed');
    await completeEnhancement(tx, jobId, upscaleReceiptOf(upscale, figures, null), null);
    await refundCharge(tx, jobId);
    await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
    await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
  });
}
