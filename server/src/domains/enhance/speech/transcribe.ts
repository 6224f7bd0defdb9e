import { join } from 'node:path';
import { type AudioPiece, extractSpeech, type Runner, type SpokenText } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { workFolders } from '../../assets/index.ts';
import { fetchSpeech, type VideoSpeech } from '../../transcode/index.ts';
import type { RecognizeOptions, SpeechRecognizer } from '../recognizers/speech-recognizer.ts';
import { captionParts, keepCaptionPart } from './caption-jobs.store.ts';

interface Tools {
  readonly platform: Pick<Platform, 'config' | 'db' | 'store' | 'log'>;
  readonly runner: Runner;
  /** Of a piece of sound; default ten minutes. */
  readonly longestPieceMs?: number;
}

export interface Transcribing {
  readonly jobId: string;
  readonly attempt: number;
  readonly speech: VideoSpeech;
  /** BCP 47; null to detect it. */
  readonly language: string | null;
  readonly signal: AbortSignal;
  readonly onPercent: (percent: number) => void;
}

/** What was said in a video. */
export interface SpokenVideo {
  /** As it was asked for or detected; null where that is not known. */
  readonly language: string | null;
  readonly spoken: readonly SpokenText[];
  /** What this attempt recognized, and what that took. */
  readonly spent: SpentTime;
}

interface SpentTime {
  readonly audioMs: number;
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** The result of a piece, as it is stored. */
interface StoredPiece extends AudioPiece {
  readonly language: string | null;
  readonly spoken: readonly SpokenText[];
}

/** Part of the progress for fetching and decoding the sound. */
const EXTRACTED_PERCENT = 5;

/**
 * Recognizes the speech of a video in pieces. Pieces that an earlier attempt recognized are taken from there; all have
 * the language that was detected in the first one with speech.
 */
export async function transcribe(
  { platform, runner, longestPieceMs }: Tools,
  recognizer: SpeechRecognizer,
  work: Transcribing,
): Promise<SpokenVideo> {
  const { db, config, store, log } = platform;
  const { jobId, attempt, speech, signal, onPercent } = work;
  const known = await captionParts<StoredPiece>(db, jobId);
  return workFolders(config.DATA_DIR, log).use(async (folder) => {
    const inputPath = await fetchSpeech(store, speech, folder, signal);
    const workDir = join(folder, 'speech');
    await runner.prepareWorkDir(workDir);
    const { pieces, read } = await extractSpeech(runner, {
      ...{ inputPath, workDir, durationMs: speech.durationMs, signal },
      ...(longestPieceMs === undefined ? {} : { longestPieceMs }),
    });
    onPercent(EXTRACTED_PERCENT);
    const spent = { audioMs: 0, cpuMs: 0, wallMs: 0 };
    let language = work.language;
    const spoken: SpokenText[] = [];
    for (const [number, piece] of pieces.entries()) {
      const startedAt = performance.now();
      const stored = known.get(number);
      const isKnown = stored?.startMs === piece.startMs && stored.endMs === piece.endMs;
      const onProgress = (part: number) => onPercent(percentOf(number + part, pieces.length));
      const found = isKnown
        ? { result: stored, cpuMs: 0 }
        : await recognized(recognizer, piece, await read(piece), { language, signal, onProgress });
      if (!isKnown) {
        await keepCaptionPart(db, jobId, attempt, number, found.result);
        spent.audioMs += piece.endMs - piece.startMs;
        spent.cpuMs += found.cpuMs;
        spent.wallMs += performance.now() - startedAt;
      }
      if (found.result.spoken.length > 0) language ??= found.result.language;
      spoken.push(...found.result.spoken);
      onPercent(percentOf(number + 1, pieces.length));
    }
    return { language, spoken, spent };
  });
}

function percentOf(done: number, all: number): number {
  return EXTRACTED_PERCENT + (100 - EXTRACTED_PERCENT) * (done / all);
}

/** The words of a piece, with times from the beginning of the video. */
async function recognized(
  recognizer: SpeechRecognizer,
  piece: AudioPiece,
  wav: Buffer,
  options: RecognizeOptions,
): Promise<{ readonly result: StoredPiece; readonly cpuMs: number }> {
  options.signal.throwIfAborted();
  const durationMs = piece.endMs - piece.startMs;
  const { language, spoken, cpuMs } = await recognizer.recognize({ wav, durationMs }, options);
  const at = (ms: number) => piece.startMs + Math.max(0, Math.min(durationMs, ms));
  const moved = spoken.map(({ text, startMs, endMs }) => ({ text, startMs: at(startMs), endMs: at(endMs) }));
  return { result: { ...piece, language, spoken: moved }, cpuMs };
}
