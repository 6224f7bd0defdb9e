import { createRunner, missingToolAdvice, probeTools, RunError, type Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { RunningRole } from './role.ts';

/** A job that is running is given this long, then it goes back to the queue for another worker. */
const HAND_BACK_MS = 5_000;

/** What a domain does on workers. */
export interface DomainWork {
  startWork(tools: { readonly runner: Runner; readonly toneMapping: boolean }): Promise<void> | void;
}

export interface RunningWorker extends RunningRole {
  readonly runner: Runner;
}

/**
 * Takes up the work of the domains: media jobs, internal readers of the event log, planned publication.
 * @throws Error with advice when ffmpeg is missing or cannot do what is needed.
 */
export async function startWorker(platform: Platform, domains: readonly DomainWork[]): Promise<RunningWorker> {
  const { config, log, jobs, events } = platform;
  const runner = await findRunner(config);
  for (const warning of runner.sandbox.warnings) log.warn(warning);
  const tools = await probeTools(runner);
  if (tools.problems.length > 0) throw new Error(tools.problems.join('\n'));
  for (const domain of domains) await domain.startWork({ runner, toneMapping: tools.toneMapping });
  await events.start();
  return {
    runner,
    async stop() {
      await events.stop();
      await jobs.stop({ graceMs: HAND_BACK_MS });
    },
  };
}

async function findRunner(config: Platform['config']): Promise<Runner> {
  try {
    return await createRunner({ ffmpegPath: config.FFMPEG_PATH, ffprobePath: config.FFPROBE_PATH });
  } catch (error) {
    throw error instanceof RunError ? new Error(missingToolAdvice(error), { cause: error }) : error;
  }
}
