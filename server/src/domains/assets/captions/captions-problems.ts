import { type CaptionsError, MAX_CUES } from '@reelgraph/captions';
import { type Message, phrase } from '../../../kernel/languages/message.ts';

/** What is wrong with a captions file, for its sender. */
export function captionsProblem({ problem }: Pick<CaptionsError, 'problem'>): Message {
  switch (problem) {
    case 'UNEXPECTED_TEXT':
      return phrase`Here a cue must begin, with its number or its times.`;
    case 'TOO_MANY_CUES':
      return phrase`There are more than ${MAX_CUES} cues.`;
    case 'NO_CUE':
      return phrase`There is no cue: no line like "00:00:01.000 --> 00:00:04.000" with text below it.`;
    case 'INVALID_TIMES':
      return phrase`The times of a cue must read like "00:00:01.000 --> 00:00:04.000".`;
    case 'ENDS_BEFORE_START':
      return phrase`The cue ends before it begins.`;
  }
}
