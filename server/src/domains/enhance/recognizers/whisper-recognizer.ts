import { basename, join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import {
  RunError,
  type RunLimits,
  type Runner,
  readWhisperJson,
  recognizerCode,
  recognizeSpeech,
  SpeechError,
  TranscriptError,
} from '../../../media/index.ts';
import type { Logger } from '../../../platform/log.ts';
import type { WorkFolders } from '../../assets/index.ts';
import type { SpeechRecognizer } from './speech-recognizer.ts';
import { recognitionFailed, runFailure, whisperLimits, whisperThreads } from './whisper-run.ts';

export interface Whisper {
  /** Path of the installed model. */
  readonly model: string;
  readonly runner: Pick<Runner, 'runProgram' | 'prepareWorkDir'>;
  readonly folders: WorkFolders;
  readonly log: Pick<Logger, 'error'>;
  /** Default `whisperLimits`. */
  readonly limits?: (durationMs: number) => RunLimits;
}

const WAVE_HEADER_BYTES = 44;
const CHECK = 'install the model again with npm run admin -- install-speech-model';

/** The whisper.cpp that is installed with the platform, with the model that the operator installed. */
export function whisperRecognizer({ model, runner, folders, log, limits = whisperLimits }: Whisper): SpeechRecognizer {
  return {
    model: basename(model, '.bin'),
    recognize: ({ wav, durationMs }, { language, signal, onProgress = () => {} }) =>
      folders.use(async (folder) => {
        const workDir = join(folder, 'whisper');
        await runner.prepareWorkDir(workDir);
        const code = language === null ? null : (recognizerCode(language) ?? language);
        try {
          const { json, cpuMs } = await recognizeSpeech(runner, wav.subarray(WAVE_HEADER_BYTES), {
            ...{ model, language: code, workDir, limits: limits(durationMs), threads: whisperThreads() },
            ...{ signal, onProgress },
          });
          return { ...readWhisperJson(json), cpuMs };
        } catch (error) {
          throw failure(error, log);
        }
      }),
  };
}

function failure(error: unknown, log: Whisper['log']): unknown {
  if (error instanceof RunError) return runFailure(error, log, CHECK);
  if (error instanceof TranscriptError) {
    log.error({ error }, `whisper.cpp wrote no usable result: ${CHECK}`);
    return recognitionFailed(t`The speech recognition of this server gave no usable result.`, error);
  }
  // Another model takes the place of this one, or the packages are being installed.
  const isReplaced = error instanceof SpeechError || (error instanceof Error && 'code' in error);
  if (!isReplaced) return error;
  log.error({ error }, `whisper.cpp could not be started: ${CHECK}`);
  return new AppError('SERVICE_UNAVAILABLE', t`The speech recognition of this server is being changed.`, {
    cause: error,
  });
}
