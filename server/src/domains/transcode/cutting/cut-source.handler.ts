import { cutFile } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { type EncodeSourceTools, inspectUploaded } from '../sources/encode-source.ts';
import type { CutSource } from './cut-source.job.ts';
import { runCut } from './run-cut.ts';

export interface CutSourceTools extends EncodeSourceTools {
  readonly platform: EncodeSourceTools['platform'] & Pick<Platform, 'jobs'>;
}

/**
 * One attempt to cut a file. A problem with the file fails the job with a message for the owner; a transient error is
 * thrown and retried.
 */
export function cutSource(tools: CutSourceTools, payload: CutSource, run: JobRun): Promise<void> {
  const { runner, sources } = tools;
  const { jobId, file, ranges, isTrim, spokenCaptions = [] } = payload;
  const { filename, hint, key, sizeBytes } = file;
  const edit = isTrim
    ? { edit: 'TRIM' as const, keptRanges: ranges, originalKey: key, originalBytes: sizeBytes }
    : null;
  return runCut(tools.platform, { jobId, filename, hint, edit, spokenCaptions }, run, async ({ workDir, signal }) => {
    const { facts } = await inspectUploaded(tools, { sourceKey: key, sizeBytes }, signal);
    return sources.use(key, (path) => cutFile(runner, path, { facts, ranges }, { workDir, signal }));
  });
}
