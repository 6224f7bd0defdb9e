import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type EncodePlan, gainOf, measureSource, planUpmix } from '../../../media/index.ts';
import { workFolders } from '../../assets/index.ts';
import { type HeldJob, type PlanningTools, recordPlanning } from '../../transcode/index.ts';
import { planAddition, requireExtendable } from '../additions/plan-addition.ts';
import { type ChosenUpmix, upmixPlanningMs } from './order-upmix.ts';

/**
 * Measures the upmix of the main track of a video, and plans its encoding with the gain that its peaks need.
 * @throws AppError TRANSCODE_FAILED where that is not possible.
 */
export async function planUpmixJob(
  tools: PlanningTools,
  held: HeldJob,
  { layout }: ChosenUpmix,
  signal: AbortSignal,
): Promise<void> {
  const { platform, runner, sources, stages } = tools;
  const { config, log } = platform;
  const video = await requireExtendable(tools, held);
  const encoded = video.encoded.plan;
  const measured = planUpmix(encoded, { layout, gain: 1 }, stages);
  const planFrom = async (key: string): Promise<EncodePlan> => {
    const startedAt = performance.now();
    const figures = await workFolders(config.DATA_DIR, log).use((folder) =>
      sources.use(key, (inputPath) =>
        measureSource(runner, measured, { inputPath, workDir: join(folder, 'upmix'), signal }),
      ),
    );
    await recordPlanning(platform.db, 'upmix-plan', upmixPlanningMs(encoded), startedAt);
    if (figures.truePeakDbtp === null)
      throw new AppError('TRANSCODE_FAILED', t`The sound of the video is silent.`, {
        suggestedFix: t`Upload the video again, with its sound.`,
      });
    return planUpmix(encoded, { layout, gain: gainOf(figures), figures }, stages);
  };
  await planAddition(tools, held, video, planFrom, signal);
}
