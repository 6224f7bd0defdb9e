import { RunError, type RunErrorReason } from '@reelgraph/sandbox';
import { type Message, t } from '../../kernel/languages/message.ts';
import type { ProcessStage } from './stages.ts';

/** What programs did wrong, as sentences say it. */
const FAULTS = {
  failed: 'ended with an error',
  limited: 'took more time or memory than is allowed',
  stalled: 'stopped working',
  broken: 'wrote something that is not what it was to write',
  incomplete: 'lost something, or wrote more than there was',
} as const;

const SENTENCES: Readonly<Record<keyof typeof FAULTS, (stage: string) => Message>> = {
  failed: (stage) => t`The processing step ${stage} ended with an error.`,
  limited: (stage) => t`The processing step ${stage} took more time or memory than is allowed.`,
  stalled: (stage) => t`The processing step ${stage} stopped working.`,
  broken: (stage) => t`The processing step ${stage} wrote something that is not what it was to write.`,
  incomplete: (stage) => t`The processing step ${stage} lost something, or wrote more than there was.`,
};

/** How a run ended that the program is to blame for; other reasons are the machine's. */
const BY_REASON: Partial<Record<RunErrorReason, keyof typeof FAULTS>> = {
  exit: 'failed',
  'bad-output': 'failed',
  'output-limit': 'failed',
  timeout: 'limited',
  'cpu-limit': 'limited',
  memory: 'limited',
  stalled: 'stalled',
};

/** The name of the process that encodes, in errors. */
export const ENCODER = 'encoder';

/** A stage that is a program did not do its work. Another attempt may succeed. */
export class StageError extends Error {
  readonly stage: string;
  readonly fault: keyof typeof FAULTS;

  constructor(stages: readonly Pick<ProcessStage, 'id' | 'version'>[], fault: keyof typeof FAULTS, cause?: unknown) {
    const named = stages.map(({ id, version }) => `${id} ${version}`).join(', ');
    const detail = cause instanceof RunError ? `: ${cause.stderrTail.trim().split('\n').at(-1)}` : '';
    super(`The stage ${named} ${FAULTS[fault]}${detail}`, { cause });
    this.name = 'StageError';
    this.stage = stages.map(({ id }) => id).join(', ');
    this.fault = fault;
  }

  /** For the uploader. */
  get sentence(): Message {
    return SENTENCES[this.fault](this.stage);
  }
}

/** The failure of a run as that of a program in it; other errors are returned as they are. */
export function stageErrorOf(error: unknown, stages: readonly ProcessStage[]): unknown {
  if (!(error instanceof RunError)) return error;
  // The encoder reads nothing but what the last program writes.
  if (error.tool === ENCODER && error.reason === 'exit') return new StageError(stages.slice(-1), 'broken', error);
  const fault = BY_REASON[error.reason];
  const blamed = error.reason === 'stalled' ? stages : stages.filter(({ id }) => id === error.tool);
  return fault === undefined || blamed.length === 0 ? error : new StageError(blamed, fault, error);
}
