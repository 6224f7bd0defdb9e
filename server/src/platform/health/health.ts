import type { StoredText } from '../../kernel/languages/message.ts';
import type { Logger } from '../log.ts';
import type { SeenWorker } from '../running-workers.ts';

/**
 * A dependency of the platform. `check` resolves when it is healthy and throws otherwise; a resolved text is a note for
 * the operator on degraded operation.
 */
export interface ReadinessCheck {
  readonly name: string;
  /** Whether the process cannot serve its role without it; otherwise its operation is degraded. */
  readonly essential: boolean;
  check(): Promise<unknown>;
}

export interface CheckResult {
  readonly ok: boolean;
  readonly ms: number;
  /** Degraded operation. */
  readonly note?: string;
}

export interface Readiness {
  /** `degraded`: the process serves its role; a check that is not `ok` or has a note says what does not work. */
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** By name: whether it is healthy, and how long the check took. Reasons are only in the log. */
  readonly checks: Readonly<Record<string, CheckResult>>;
}

/** Isolation of media tools on this machine. */
export interface SandboxHealth {
  /**
   * `complete`: full isolation. `incomplete`: media is processed with less. `refusing`: no media is processed, because
   * the operator requires more.
   */
  readonly state: 'complete' | 'incomplete' | 'refusing';
  /** For the private network only. */
  readonly details: {
    readonly method: string;
    readonly protections: Readonly<Record<string, boolean>>;
    readonly advice: readonly StoredText[];
  };
}

/** A running worker, on this machine or another one. */
export type WorkerHealth = SeenWorker<Pick<SandboxHealth, 'state'> & SandboxHealth['details']>;

const CHECK_LIMIT_MS = 3_000;
const KEPT_MS = 1_000;

/**
 * Runs all checks concurrently, each for at most 3 s. Results are cached for a second and shared by concurrent
 * requests, so that frequent probing costs nothing.
 */
export function createReadiness(checks: readonly ReadinessCheck[], log: Logger): () => Promise<Readiness> {
  let current: { at: number; answer: Promise<Readiness> } | null = null;
  const runAll = async (): Promise<Readiness> => {
    const results = await Promise.all(checks.map(async (one) => [one.name, await runOne(one, log)] as const));
    const failed = (essential: boolean) =>
      checks.some((one, at) => one.essential === essential && !results[at]?.[1].ok);
    const degraded = failed(false) || results.some(([, { note }]) => note !== undefined);
    return {
      status: failed(true) ? 'unavailable' : degraded ? 'degraded' : 'ready',
      checks: Object.fromEntries(results),
    };
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
    timer = setTimeout(() => reject(new Error(`no response within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
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
