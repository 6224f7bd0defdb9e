import { open, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { t } from '../../../kernel/languages/message.ts';
import {
  RunError,
  type RunLimits,
  type Runner,
  type RunResult,
  readWhisperJson,
  recognizerCode,
  type Transcript,
  TranscriptError,
} from '../../../media/index.ts';
import type { Logger } from '../../../platform/log.ts';
import type { WorkFolders } from '../../assets/index.ts';
import type { SpeechPiece, SpeechRecognizer } from './speech-recognizer.ts';
import { MOST_RESULT_BYTES, recognitionFailed, runFailure, whisperLimits, whisperThreads } from './whisper-run.ts';

export interface WhisperCpp {
  /** The command, a path or a name on PATH. */
  readonly command: string;
  /** Absolute path. */
  readonly model: string;
  readonly runner: Pick<Runner, 'runProgram' | 'prepareWorkDir'>;
  readonly folders: WorkFolders;
  readonly log: Pick<Logger, 'error'>;
  /** Default `whisperLimits`. */
  readonly limits?: (durationMs: number) => RunLimits;
}

const FILE_NAME = 'speech';
const CHECK = 'check WHISPER_CPP_PATH and WHISPER_CPP_MODEL';

/**
 * The command of whisper.cpp, in the sandbox: without network, it reads its model and a WAV file and writes a JSON
 * file. On the CPU, as the sandbox has no devices: a GPU is used through the server of whisper.cpp, as a service.
 */
export function whisperCppRecognizer(whisper: WhisperCpp): SpeechRecognizer {
  return {
    model: basename(whisper.model).replace(/\.\w+$/, ''),
    recognize: (piece, { language, signal, onProgress = () => {} }) =>
      whisper.folders.use(async (folder) => {
        const cwd = join(folder, 'whisper');
        await whisper.runner.prepareWorkDir(cwd);
        await writeFile(join(cwd, `${FILE_NAME}.wav`), piece.wav, { mode: 0o600 });
        const code = language === null ? 'auto' : (recognizerCode(language) ?? language);
        const { cpuMs } = await run(whisper, { cwd, code, piece, signal, onProgress });
        return { ...(await readResult(whisper, join(cwd, `${FILE_NAME}.json`))), cpuMs };
      }),
  };
}

interface Run {
  readonly cwd: string;
  readonly code: string;
  readonly piece: SpeechPiece;
  readonly signal: AbortSignal;
  readonly onProgress: (part: number) => void;
}

async function run(whisper: WhisperCpp, { cwd, code, piece, signal, onProgress }: Run): Promise<RunResult> {
  const { command, model, runner, limits = whisperLimits } = whisper;
  const args = [
    ...['--model', model, '--file', `${FILE_NAME}.wav`, '--language', code],
    ...['--output-json-full', '--output-file', FILE_NAME, '--no-prints', '--print-progress'],
    ...['--threads', `${whisperThreads()}`],
  ];
  try {
    return await runner.runProgram(command, args, {
      ...{ cwd, readOnly: [model], limits: limits(piece.durationMs), signal, background: true, maxStdoutBytes: 0 },
      onStderrLine: (line) => {
        const percent = /progress = +(\d+)%/.exec(line)?.[1];
        if (percent !== undefined) onProgress(Math.min(1, Number(percent) / 100));
      },
    });
  } catch (error) {
    throw error instanceof RunError ? runFailure(error, whisper.log, CHECK) : unreadable(whisper.log, error);
  }
}

/** The file of the result; whisper.cpp exits with 0 without one for languages and audio that it does not take. */
async function readResult({ log }: WhisperCpp, path: string): Promise<Transcript> {
  const bytes = await readBounded(path);
  try {
    if (bytes === null) throw new TranscriptError('there is no result');
    return readWhisperJson(bytes);
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    log.error({ error }, `whisper.cpp wrote no usable result: ${CHECK}`);
    throw recognitionFailed(t`The speech recognition of this server gave no usable result.`, error);
  }
}

/** Null where there is no file. */
async function readBounded(path: string): Promise<Buffer | null> {
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MOST_RESULT_BYTES)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The model is not there, as the sandbox found before it started anything. */
function unreadable(log: WhisperCpp['log'], error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  log.error({ error }, `whisper.cpp could not be started: ${CHECK}`);
  return recognitionFailed(t`The speech recognition of this server failed.`, error);
}
