import type { Logger } from '../../platform/log.ts';
import type { RunningWorker } from '../../platform/running-workers.ts';

/**
 * One thing the platform needs to serve requests. `check` resolves when it is fine and throws otherwise; a text it resolves with is a note for
 * the operator on what works only in part.
 */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<unknown>;
}

export interface CheckResult {
  readonly ok: boolean;
  readonly ms: number;
  /** What works only in part. */
  readonly note?: string;
}

export interface Readiness {
  readonly status: 'ready' | 'unavailable';
  /** By name: whether it is fine, and how long the check took. Reasons are in the log only. */
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** How media tools are isolated on this machine. */
export interface SandboxHealth {
  /** `complete`: everything holds. `incomplete`: media is processed with less. `refusing`: no media is processed, for the operator demands more. */
  readonly state: 'complete' | 'incomplete' | 'refusing';
  /** For the private network only. */
  readonly details: {
    readonly method: string;
    readonly protections: Readonly<Record<string, boolean>>;
    readonly advice: readonly string[];
  };
}

/** A worker that runs, on this machine or another one. */
export type WorkerHealth = RunningWorker<Pick<SandboxHealth, 'state'> & SandboxHealth['details']>;

const CHECK_LIMIT_MS = 3_000;
const KEPT_MS = 1_000;

/**
 * Runs all checks at once, each for at most 3 s. Answers are kept for a second and shared by those who ask at the
 * same time, so that probing often costs nothing.
 */
export function createReadiness(checks: readonly ReadinessCheck[], log: Logger): () => Promise<Readiness> {
  let current: { at: number; answer: Promise<Readiness> } | null = null;
  const runAll = async (): Promise<Readiness> => {
    const results = await Promise.all(checks.map(async (one) => [one.name, await runOne(one, log)] as const));
    return { status: results.every(([, result]) => result.ok) ? 'ready' : 'unavailable', checks: Object.fromEntries(results) };
  };
  return () => {
    const now = performance.now();
    if (!current || now - current.at > KEPT_MS) current = { at: now, answer: runAll() };
    return current.answer;
  };
}

async function runOne(one: ReadinessCheck, log: Logger): Promise<CheckResult> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
  });
  try {
    const note = await Promise.race([one.check(), limit]);
    return { ok: true, ms: elapsed(), ...(typeof note === 'string' ? { note } : {}) };
  } catch (error) {
    log.warn({ check: one.name, error }, 'not ready');
    return { ok: false, ms: elapsed() };
  } finally {
    clearTimeout(timer);
  }
}
