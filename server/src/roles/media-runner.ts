import { createRunner, isComplete, PROTECTIONS, RunError, type Runner, sandboxAdvice } from '../media/index.ts';
import type { SandboxHealth } from '../platform/health/health.ts';
import type { Platform } from '../platform/platform.ts';
import { type Repeated, repeat } from '../platform/repeat.ts';

/** An operator who fixes the sandbox does not have to restart the server. */
const RECHECK_MS = 30_000;

/**
 * Opens the runner of this process and logs its isolation. Never throws RunError: a missing tool fails when it is run.
 */
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

/** Its state for `/readyz` and `reelgraph doctor`. */
export function sandboxHealth({ sandbox, isUsable }: Pick<Runner, 'sandbox' | 'isUsable'>): SandboxHealth {
  const { method, protections, warnings } = sandbox;
  const state = isComplete(sandbox) ? 'complete' : isUsable ? 'incomplete' : 'refusing';
  return { state, details: { method, protections, advice: warnings.map(sandboxAdvice) } };
}

function logSandbox(runner: Pick<Runner, 'sandbox' | 'isUsable'>, log: Platform['log']): void {
  const { method, protections, warnings } = runner.sandbox;
  const [held, missing] = [true, false].map((wanted) =>
    PROTECTIONS.filter((protection) => protections[protection] === wanted),
  );
  if (isComplete(runner.sandbox)) {
    log.info({ method, held }, 'media sandbox complete');
    return;
  }
  const facts = {
    method,
    held,
    missing,
    advice: [
      ...warnings.map((warning) => String(sandboxAdvice(warning))),
      'See reelgraph doctor and docs/guides/self-hosting.md.',
    ],
  };
  if (runner.isUsable)
    log.warn(facts, 'MEDIA SANDBOX INCOMPLETE: do not accept uploads from strangers on this machine');
  else log.error(facts, 'MEDIA SANDBOX INCOMPLETE: no media is processed, because SANDBOX=require');
}

/**
 * Calls `start` when the runner is usable: now, or once the operator has fixed it, which is checked every `everyMs`. It
 * is retried while the machine is busy, and never called after it succeeded.
 * @throws other errors of the first `start`.
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
  const looking = repeat(log, 'the media sandbox could not be checked, will be retried', everyMs, async () => {
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
