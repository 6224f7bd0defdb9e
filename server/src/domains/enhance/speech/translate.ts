import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type Cue, plainText, readCaptionsFile, setTranslated } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { captionParts, keepCaptionPart } from './caption-jobs.store.ts';
import { type CaptionsSource, captionsSource } from './caption-sources.store.ts';
import type { CaptionsTranslator } from './captions-translator.ts';

export interface Translating {
  readonly jobId: string;
  readonly attempt: number;
  readonly contentId: string;
  /** The captions; null once they were deleted. */
  readonly sourceId: string | null;
  /** BCP 47. */
  readonly to: string;
  readonly signal: AbortSignal;
  readonly onPercent: (percent: number) => void;
}

export interface TranslatedCaptions {
  readonly source: CaptionsSource;
  readonly cues: readonly Cue[];
  /** Cues that this attempt translated, and the time for them. */
  readonly spent: { readonly cues: number; readonly wallMs: number };
}

/** A batch as it is stored. */
interface StoredBatch {
  readonly cues: readonly string[];
  readonly translations: readonly string[];
}

/** Cues that are translated together, and those around them. */
export const BATCH_CUES = 40;
const CONTEXT_CUES = 5;

/**
 * Translates captions cue by cue, in batches with the cues around them. Batches that an earlier attempt translated are
 * taken from there.
 * @throws AppError TRANSCODE_FAILED where the captions were deleted, and as the translator.
 */
export async function translate(
  db: Database,
  translator: CaptionsTranslator,
  { jobId, attempt, contentId, sourceId, to, signal, onPercent }: Translating,
): Promise<TranslatedCaptions> {
  const source = sourceId === null ? null : await captionsSource(db, sourceId, contentId);
  if (!source) throw sourceIsGone();
  const cues = readCaptionsFile(source.vtt, Number.POSITIVE_INFINITY)
    .map((cue) => ({ ...cue, text: plainText(cue.text) }))
    .filter(({ text }) => text !== '');
  const texts = cues.map(({ text }) => text);
  const known = await captionParts<StoredBatch>(db, jobId);
  const translations: string[] = [];
  const spent = { cues: 0, wallMs: 0 };
  for (let start = 0; start < texts.length; start += BATCH_CUES) {
    signal.throwIfAborted();
    const batch = texts.slice(start, start + BATCH_CUES);
    const number = start / BATCH_CUES;
    const stored = known.get(number);
    // The captions may have been edited since.
    if (stored && JSON.stringify(stored.cues) === JSON.stringify(batch)) translations.push(...stored.translations);
    else {
      const startedAt = performance.now();
      const around = {
        before: texts.slice(Math.max(0, start - CONTEXT_CUES), start),
        after: texts.slice(start + BATCH_CUES, start + BATCH_CUES + CONTEXT_CUES),
      };
      const made = await translator.translate({ cues: batch, ...around, from: source.language, to }, signal);
      await keepCaptionPart(db, jobId, attempt, number, { cues: batch, translations: made });
      translations.push(...made);
      spent.cues += batch.length;
      spent.wallMs += performance.now() - startedAt;
    }
    onPercent((100 * translations.length) / texts.length);
  }
  return {
    source,
    cues: setTranslated(cues.map((cue, index) => ({ ...cue, text: translations[index] ?? '' }))),
    spent,
  };
}

function sourceIsGone(): AppError {
  return new AppError('TRANSCODE_FAILED', t`The captions were deleted before they were translated.`, {
    suggestedFix: t`Call translateCaptions again with captions that are there; content.captions lists them.`,
  });
}
