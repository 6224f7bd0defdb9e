import { missingToolHelp, probeTools, RunError, type Runner, type ToolFacts } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { whenUsable } from './media-runner.ts';
import type { RunningRole } from './role.ts';
import { announceWorker } from './worker-presence.ts';

/** Grace period of running jobs; afterwards they return to the queue for another worker. */
const HAND_BACK_MS = 5_000;

type MediaWorkTools = { readonly runner: Runner } & Pick<ToolFacts, 'toneMapping' | 'ffmpegVersion' | 'codecs'>;

/** The worker part of a domain. */
export interface DomainWork {
  startWork(): Promise<void> | void;
  /** Starts media jobs once the sandbox meets the operator's requirements. Jobs wait in the queue until then. */
  startMediaWork?(tools: MediaWorkTools): Promise<void>;
  /** Running work that is not a job: kinds with their numbers. */
  running?(): Readonly<Record<string, number>>;
  /** Gives running work that is not a job back to other workers. */
  stopMediaWork?(): Promise<void>;
}

/**
 * Starts the work of the domains: consumers of the event log, scheduled publication, media jobs.
 * @throws Error with a suggested fix when ffmpeg is missing or incomplete. Waits while the machine is busy.
 */
export async function startWorker(
  platform: Platform,
  runner: Runner,
  domains: readonly DomainWork[],
): Promise<RunningRole> {
  const { log, jobs, events } = platform;
  for (const domain of domains) await domain.startWork();
  const media = await whenUsable(runner, log, async () => {
    const { toneMapping, ffmpegVersion, codecs } = await checkTools(runner);
    const tools = { runner, toneMapping, ffmpegVersion, codecs };
    for (const domain of domains) await domain.startMediaWork?.(tools);
  });
  await events.start();
  const presence = announceWorker(platform, runner, () =>
    Object.assign({}, jobs.running(), ...domains.map((domain) => domain.running?.())),
  );
  return {
    async stop() {
      await presence.stop();
      await media.stop();
      for (const domain of domains) await domain.stopMediaWork?.();
      await events.stop();
      await jobs.stop({ graceMs: HAND_BACK_MS });
    },
  };
}

/** @throws Error with a suggested fix when the tools are missing or incomplete; RunError otherwise. */
async function checkTools(runner: Runner): Promise<ToolFacts> {
  const tools = await probeTools(runner).catch((error: unknown) => {
    throw error instanceof RunError && error.reason === 'missing-binary'
      ? new Error(missingToolHelp(error), { cause: error })
      : error;
  });
  if (tools.problems.length > 0) throw new Error(tools.problems.join('\n'));
  return tools;
}
