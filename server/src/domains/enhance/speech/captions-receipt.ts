import type { Text } from '../../../kernel/languages/message.ts';

/** What a job that makes captions did, as the table stores it. */
export interface CaptionsReceipt {
  /** Name of the model. */
  readonly model: string;
  /** Of the captions, as a BCP 47 tag; null without speech in a language that is known. */
  readonly language: string | null;
  readonly words: number;
  readonly cues: number;
  /** In a sentence or two. */
  readonly decision: Text;
}
