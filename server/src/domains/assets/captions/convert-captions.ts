import { CaptionsError, captionsText, readCaptionsFile, subRipText } from '@reelgraph/captions';
import type { StoredText } from '../../../kernel/languages/message.ts';
import { InThread } from '../../../platform/threads/in-thread.ts';
import { captionsProblem } from './captions-problems.ts';

/** Shorter files take less time than a thread would. */
const SHORT_FILE = 16_384;
/** The longest file takes a tenth of a second. */
const THREAD = { deadlineMs: 5_000, maxHeapMb: 256 };

const thread = new InThread<CaptionsCall, ConvertedCaptions>(
  new URL('./captions-texts.worker.ts', import.meta.url),
  THREAD,
);

/** A captions file, and the format that it is wanted in. */
export interface CaptionsCall {
  readonly file: string;
  readonly to: 'vtt' | 'srt';
}

/** The file in the format, or its first error with the line. Data only, so that a thread can return it. */
export type ConvertedCaptions =
  | { readonly text: string; readonly error?: undefined }
  | { readonly text?: undefined; readonly error: { readonly line: number; readonly text: StoredText } };

/** {@link convertCaptions}, in a thread where that may take long. @throws ThreadError */
export async function convertedCaptions(call: CaptionsCall): Promise<ConvertedCaptions> {
  return call.file.length > SHORT_FILE ? thread.run(call) : convertCaptions(call);
}

/** Reads SubRip or WebVTT, and writes the one that is wanted. What was stored may have more cues than a new file. */
export function convertCaptions({ file, to }: CaptionsCall): ConvertedCaptions {
  try {
    return {
      text:
        to === 'vtt'
          ? captionsText(readCaptionsFile(file))
          : subRipText(readCaptionsFile(file, Number.POSITIVE_INFINITY)),
    };
  } catch (error) {
    if (!(error instanceof CaptionsError)) throw error;
    const { key, values } = captionsProblem(error);
    return { error: { line: error.line, text: { key, values } } };
  }
}
