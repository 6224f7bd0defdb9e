import type { Call } from './call.ts';

/** An option of a command: a switch unless `value` names what it takes. */
export interface Option {
  /** Without the dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What follows it, as the help calls it: `TITLE`. */
  readonly value?: string;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly repeated?: boolean;
  readonly about: string;
}

/** What a command takes besides options, in this order. */
export interface Operand {
  readonly name: string;
  readonly about: string;
  readonly isOptional?: boolean;
  /** Takes all that is left; only the last one may. */
  readonly isRepeated?: boolean;
  /** Whether it is a file on this machine, which shells complete. */
  readonly isFile?: boolean;
  /** The only values it takes. */
  readonly choices?: readonly string[];
}

/** One entry of the table that arguments, help and completion are made of. */
export interface Command {
  /** One word, or two: `content list`. */
  readonly name: string;
  /** One line, without a full stop. */
  readonly about: string;
  /** What else there is to know. */
  readonly details?: string;
  readonly operands: readonly Operand[];
  readonly options: readonly Option[];
  /** Command lines that work. */
  readonly examples: readonly string[];
  /** Throws what `failureOf` understands. */
  run(call: Call): Promise<void>;
}

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly Option[] = [
  { name: 'json', about: 'Answer with one JSON document, or with one line of JSON for each event' },
  { name: 'quiet', short: 'q', about: 'Say nothing but the answer: no progress, no remarks' },
  { name: 'url', value: 'ADDRESS', about: 'The platform, instead of REELGRAPH_URL and the one of `reelgraph login`' },
  { name: 'help', short: 'h', about: 'Show this help' },
];

export const CHANNEL_OPTION: Option = {
  name: 'channel',
  short: 'c',
  value: 'CHANNEL',
  about: 'Handle or identifier of a channel; your own unless you say otherwise',
};

export const LIMIT_OPTION: Option = { name: 'limit', short: 'n', value: 'NUMBER', about: 'How many at most; 20 unless you say otherwise' };

export const CONTENT_OPERAND: Operand = { name: 'CONTENT', about: 'Identifier of a content' };
