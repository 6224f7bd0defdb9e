import { type Message, phrase, t } from '../../../kernel/languages/message.ts';
import { StageError } from '../../stages/stage-error.ts';

/** Kinds of faults of what was encoded, as sentences name them. */
const FAULTS = {
  black: phrase`is black where the file is not`,
  frozen: phrase`stands still where that of the file moves`,
  misplaced: phrase`is that of another moment`,
  different: phrase`differs from that of the file`,
  discoloured: phrase`has other colors than that of the file`,
  silent: phrase`is silent where that of the file is not`,
  incomplete: phrase`is shorter or longer than that of the file`,
  unreadable: phrase`cannot be decoded`,
} as const;

export interface EncodingFault {
  readonly fault: keyof typeof FAULTS;
  /** Of the rendition. */
  readonly folder: string;
  readonly atMs: number;
  /** What was measured, for the log. */
  readonly value?: number;
}

/**
 * What was encoded is not what it was made from: an encoder, a stage or a machine is at fault, not the file. Another
 * attempt may succeed.
 */
export class FaultyEncodingError extends Error {
  readonly kind: 'picture' | 'sound';
  readonly fault: EncodingFault;

  constructor(kind: 'picture' | 'sound', fault: EncodingFault, options?: ErrorOptions) {
    const { folder, atMs, value } = fault;
    const measured = value === undefined ? '' : ` (${value.toFixed(3)})`;
    super(`The ${kind} of ${folder} ${FAULTS[fault.fault]} at ${(atMs / 1000).toFixed(3)} s${measured}.`, options);
    this.name = 'FaultyEncodingError';
    this.kind = kind;
    this.fault = fault;
  }
}

/** What was found, for the uploader. */
export function faultText(error: FaultyEncodingError | StageError): Message {
  return error instanceof StageError ? error.sentence : sentenceOf(error);
}

function sentenceOf({ kind, fault }: FaultyEncodingError): Message {
  const at = `${Math.floor(fault.atMs / 60_000)}:${`${Math.floor(fault.atMs / 1000) % 60}`.padStart(2, '0')}`;
  return kind === 'picture'
    ? t`The encoded streams did not pass verification: at ${at}, the picture ${FAULTS[fault.fault]}.`
    : t`The encoded streams did not pass verification: at ${at}, the sound ${FAULTS[fault.fault]}.`;
}
