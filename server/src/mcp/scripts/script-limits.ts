import type { RunLimits } from '../../media/index.ts';

/** Limits of one script. */
export interface ScriptLimits {
  /** Of its text. */
  readonly codeCharacters: number;
  /** Of its own computing. */
  readonly cpuMs: number;
  /** From its start to its result, waiting included. */
  readonly wallMs: number;
  /** Of its values. */
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly calls: number;
  /** Calls that run at the same time; more wait. */
  readonly parallelCalls: number;
  /** Of the arguments of one call, as JSON. */
  readonly argumentsCharacters: number;
  /** Of its result, as JSON: about 10,000 tokens. */
  readonly resultCharacters: number;
  /** Of its log. */
  readonly logCharacters: number;
}

export const SCRIPT_LIMITS: ScriptLimits = {
  codeCharacters: 50_000,
  cpuMs: 5_000,
  wallMs: 60_000,
  memoryBytes: 64 * 1024 ** 2,
  stackBytes: 512 * 1024,
  calls: 500,
  parallelCalls: 8,
  argumentsCharacters: 200_000,
  resultCharacters: 40_000,
  logCharacters: 8_000,
};

/** Scripts that run at the same time, of one account and altogether on this instance: each is a process. */
export const PARALLEL_SCRIPTS = { ofAccount: 2, ofInstance: 6 } as const;

/**
 * The limits of its process: for what QuickJS does not interrupt, such as sorting a long list, and for a QuickJS that
 * is not itself any more.
 */
export function processLimits({ cpuMs, wallMs }: ScriptLimits): RunLimits {
  return { cpuSeconds: cpuMs / 1000 + 3, memoryBytes: 1024 ** 3, outputBytes: 0, wallMs: wallMs + 5_000 };
}
