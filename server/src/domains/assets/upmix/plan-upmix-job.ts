import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import {
  chunkCostsMs,
  expectedPackageBytes,
  gainOf,
  measureSource,
  planUpmix,
  type Runner,
  type Stage,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { insertEncodePlan } from '../encoding/encode-plans.store.ts';
import type { LocalSources } from '../encoding/local-sources.ts';
import { encodedVideo } from '../encoding/outputs.store.ts';
import { derivedLimitOfVideo } from '../processing/derived.policy.ts';
import { sourceTagOf } from '../processing/encode-source.ts';
import { reserveDerived } from '../processing/reserve-derived.ts';
import type { ClaimedJob } from '../processing/transcode-jobs.store.ts';
import { videoSourceFacts } from '../processing/video-assets.store.ts';
import { workFolders } from '../processing/work-folders.ts';

interface Tools {
  readonly platform: Pick<Platform, 'db' | 'store' | 'clock' | 'space' | 'config' | 'log'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  readonly stages?: readonly Stage[];
}

/** Of the playlists and rows of a package. */
const FINISH_COST_MS = 100;

/**
 * Measures the upmix of the main track of a video, and plans its encoding with the gain that its peaks need.
 * @throws AppError TRANSCODE_FAILED where that is not possible.
 */
export async function planUpmixJob(
  { platform, runner, sources, stages }: Tools,
  held: ClaimedJob & { readonly videoAssetId: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, store, config, log } = platform;
  const { jobId, attempt, videoAssetId } = held;
  const source = await videoSourceFacts(db, videoAssetId);
  const encoded = await encodedVideo(db, videoAssetId);
  if (!source?.mimeType || !encoded) throw unsuitable('The video has not been processed.');
  // A copy of it in MP4 is not kept.
  const sourceTag = await sourceTagOf(store, source.sourceKey);
  if (sourceTag !== encoded.sourceTag) throw unsuitable('The file that the video was encoded from is not kept.');
  const measured = planUpmix(encoded.plan, { gain: 1 }, stages);
  const figures = await workFolders(config.DATA_DIR, log).use((folder) =>
    sources.use(source.sourceKey, (inputPath) =>
      measureSource(runner, measured, { inputPath, workDir: join(folder, 'upmix'), signal }),
    ),
  );
  if (figures.truePeakDbtp === null) throw unsuitable('The sound of the video is silent.');
  const plan = planUpmix(encoded.plan, { gain: gainOf(figures), figures }, stages);
  const maxBytes = derivedLimitOfVideo(source.sizeBytes);
  await reserveDerived(platform, held, Math.min(maxBytes, expectedPackageBytes(plan)));
  signal.throwIfAborted();
  const costs = { costsMs: chunkCostsMs(plan, stages), finishCostMs: FINISH_COST_MS };
  const row = { jobId, attempt, plan, mimeType: source.mimeType, remuxedKey: null, sourceTag, ...costs, maxBytes };
  await db.transaction(async (tx) => {
    if (!(await insertEncodePlan(tx, row)))
      throw new Error('the job was taken over or cancelled before it could be planned');
  });
}

function unsuitable(message: string): AppError {
  return new AppError('TRANSCODE_FAILED', message, { suggestedFix: 'Upload the video again, with its sound.' });
}
