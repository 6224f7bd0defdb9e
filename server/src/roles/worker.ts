import { missingToolHelp, probeTools, RunError, type Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { whenUsable } from './media-runner.ts';
import type { RunningRole } from './role.ts';
import { announceWorker } from './worker-presence.ts';

/** A job that is running is given this long, then it goes back to the queue for another worker. */
const HAND_BACK_MS = 5_000;

/** What a domain does on workers. */
export interface DomainWork {
  startWork(): Promise<void> | void;
  /** What runs programs on media: begins once the sandbox is what the operator demands. Jobs wait in the queue until then. */
  startMediaWork?(tools: { readonly runner: Runner; readonly toneMapping: boolean }): Promise<void>;
}

/**
 * Takes up the work of the domains: internal readers of the event log, planned publication, media jobs.
 * @throws Error with advice when ffmpeg is missing or cannot do what is needed. A machine that is busy is waited for.
 */
export async function startWorker(platform: Platform, runner: Runner, domains: readonly DomainWork[]): Promise<RunningRole> {
  const { log, jobs, events } = platform;
  for (const domain of domains) await domain.startWork();
  const media = await whenUsable(runner, log, async () => {
    const tools = { runner, toneMapping: await checkTools(runner) };
    for (const domain of domains) await domain.startMediaWork?.(tools);
  });
  await events.start();
  const presence = announceWorker(platform, runner);
  return {
    async stop() {
      await presence.stop();
      await media.stop();
      await events.stop();
      await jobs.stop({ graceMs: HAND_BACK_MS });
    },
  };
}

/** Whether HDR can be mapped. @throws Error with advice when the tools are missing or cannot do what every upload needs; RunError otherwise. */
async function checkTools(runner: Runner): Promise<boolean> {
  const tools = await probeTools(runner).catch((error: unknown) => {
    throw error instanceof RunError && error.reason === 'missing-binary' ? new Error(missingToolHelp(error), { cause: error }) : error;
  });
  if (tools.problems.length > 0) throw new Error(tools.problems.join('\n'));
  return tools.toneMapping;
}
