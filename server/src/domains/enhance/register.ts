import type { Runner } from '../../media/index.ts';
import type { JobHandler } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { repeat } from '../../platform/repeat.ts';
import type { Additions, UpscalingModels } from '../transcode/index.ts';
import { retryCodecs } from './codecs/retry-codecs.ts';
import { sweepCodecs } from './codecs/sweep-codecs.ts';
import { makeCaptionsJob } from './speech/make-captions.job.ts';
import { type Captioning, openCaptioning } from './speech/open-captioning.ts';
import { UpscaleModels } from './upscale/upscale-models.ts';

export interface EnhanceDomain {
  /** Orders videos in the codecs that their channels ask for. */
  startWork(): void;
  /** Looks for models that enlarge videos, and runs the jobs of this domain, which all read users' files. */
  startMediaWork(runner: Runner): Promise<UpscalingModels>;
  stopMediaWork(): Promise<void>;
  close(): Promise<void>;
}

const SWEEP_CODECS_MS = 10 * 60_000;

/** What is added to processed videos: see video-additions.ts. */
export async function loadAdditions(): Promise<Additions> {
  return (await import('./video-additions.ts')).videoAdditions;
}

/** Enhances processed videos: sound in 5.1 and 7.1, larger sizes, other codecs, captions of speech. */
export function registerEnhance(platform: Platform): EnhanceDomain {
  platform.events.subscribe(retryCodecs());
  const codecs = repeat(platform.log, 'other codecs could not be ordered, will be retried', SWEEP_CODECS_MS, () =>
    sweepCodecs(platform),
  );
  let captioning: Captioning | null = null;
  let models: UpscaleModels | null = null;
  return {
    startWork: () => codecs.start(),
    async startMediaWork(runner) {
      const found = new UpscaleModels({ platform, runner });
      models = found;
      found.start();
      captioning = openCaptioning(platform.config, runner, platform.log);
      await platform.jobs.work(captionsHandler(platform, runner, captioning));
      return found;
    },
    async stopMediaWork() {
      await models?.stop();
    },
    async close() {
      await models?.stop();
      await codecs.stop();
      await captioning?.close();
    },
  };
}

/** The handler is loaded with the first job. */
function captionsHandler(platform: Platform, runner: Runner, captioning: Captioning): JobHandler<{ jobId: string }> {
  const load = () => import('./speech/make-captions.handler.ts');
  const { translator } = captioning;
  return {
    job: makeCaptionsJob,
    handle: async ({ jobId }, run) => {
      const tools = { platform, runner, recognizer: captioning.recognizer(), translator };
      return (await load()).makeCaptions(tools, jobId, run);
    },
    giveUp: async ({ jobId }, reason) => (await load()).giveUpCaptions(platform, jobId, reason),
  };
}
