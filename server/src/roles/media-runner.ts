import type { SandboxHealth } from '../http/health/health.ts';
import { createRunner, isComplete, PROTECTIONS, RunError, type Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Repeated, repeat } from '../platform/repeat.ts';

/** An operator who allows what was missing does not have to restart anything. */
const RECHECK_MS = 30_000;

/** Opens the runner of this process and logs what holds for everything it runs. @throws RunError never: a missing tool shows when it is run. */
export async function openMediaRunner({ config, log }: Pick<Platform, 'config' | 'log'>): Promise<Runner> {
  const runner = await createRunner({
    ffmpegPath: config.FFMPEG_PATH,
    ffprobePath: config.FFPROBE_PATH,
    require: config.SANDBOX === 'require',
    missingTools: 'when-run',
  });
  logSandbox(runner, log);
  return runner;
}

/** What `/readyz` and `reelgraph doctor` tell of it. */
export function sandboxHealth({ sandbox, isUsable }: Pick<Runner, 'sandbox' | 'isUsable'>): SandboxHealth {
  const { method, protections, warnings } = sandbox;
  const state = isComplete(sandbox) ? 'complete' : isUsable ? 'incomplete' : 'refusing';
  return { state, details: { method, protections, advice: warnings } };
}

function logSandbox(runner: Pick<Runner, 'sandbox' | 'isUsable'>, log: Platform['log']): void {
  const { method, protections, warnings } = runner.sandbox;
  const [held, missing] = [true, false].map((wanted) => PROTECTIONS.filter((protection) => protections[protection] === wanted));
  if (isComplete(runner.sandbox)) {
    log.info({ method, held }, 'media sandbox complete');
    return;
  }
  const facts = { method, held, missing, advice: [...warnings, 'reelgraph doctor and docs/guides/self-hosting.md say what to do.'] };
  if (runner.isUsable) log.warn(facts, 'MEDIA SANDBOX INCOMPLETE: do not accept uploads from strangers on this machine');
  else log.error(facts, 'MEDIA SANDBOX INCOMPLETE: no media is processed, because SANDBOX=require');
}

/**
 * Calls `start` when the runner is usable: now, or when the operator has put things right, which is looked at every `everyMs`. It is called again while
 * it fails because the machine is busy, and never after it succeeded.
 * @throws what else `start` throws now.
 */
export async function whenUsable(
  runner: Pick<Runner, 'sandbox' | 'isUsable' | 'recheck'>,
  log: Platform['log'],
  start: () => Promise<void>,
  everyMs = RECHECK_MS,
): Promise<Pick<Repeated, 'stop'>> {
  let started = false;
  if (runner.isUsable) {
    try {
      await start();
      return { stop: async () => {} };
    } catch (error) {
      if (!(error instanceof RunError && error.reason === 'busy')) throw error;
      log.warn({ error }, 'media tools cannot be started on this busy machine, will be retried');
    }
  }
  const looking = repeat(log, 'the media sandbox could not be looked at, will be retried', everyMs, async () => {
    if (started) return false;
    await runner.recheck();
    if (!runner.isUsable) return false;
    logSandbox(runner, log);
    await start().catch((error: unknown) => {
      started = !(error instanceof RunError && error.reason === 'busy');
      throw error;
    });
    started = true;
    return false;
  });
  looking.start();
  return looking;
}
