import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProgramRunner, RunError, type RunErrorReason, type RunLimits, type RunResult } from '@reelgraph/sandbox';
import { SpeechError } from './speech-error.ts';
import { SPEECH_PROGRAM, type SpeechFiles, speechFiles } from './speech-files.ts';

export interface SpeechOptions {
  /** Absolute path of a model of whisper.cpp in its ggml format. */
  readonly model: string;
  /** Whisper's code of the language; null to detect it. */
  readonly language: string | null;
  /** Made by `prepareWorkDir`. */
  readonly workDir: string;
  readonly limits: RunLimits;
  /** Default 1. */
  readonly threads?: number;
  readonly signal?: AbortSignal;
  /** Called with the part that is done, 0 to 1. */
  readonly onProgress?: (part: number) => void;
  /** What the program loads; default: what is installed. */
  readonly files?: SpeechFiles;
}

export interface RecognizedSpeech {
  /** As `whisper-cli --output-json-full` writes it; untrusted. */
  readonly json: Buffer;
  readonly cpuMs: number;
}

type SpeechRunner = Pick<ProgramRunner, 'runProgram'>;

const SOUND = 'speech.pcm';
const MOST_RESULT_BYTES = 16 * 1024 ** 2;
/** V8 only interprets: whisper.cpp is native anyway. */
const NODE_FLAGS = ['--jitless', '--max-old-space-size=256', '--disallow-code-generation-from-strings'];
/** Of loading the largest model from a slow disk. */
const LOAD_LIMITS: RunLimits = {
  cpuSeconds: 300,
  memoryBytes: 8 * 1024 ** 3,
  outputBytes: 0,
  wallMs: 600_000,
};
/** First bytes of a model, then the size of its vocabulary, each in four bytes (little endian). */
const MAGIC = 0x67_67_6d_6c;
/** Models for English alone have one token less, and no languages. */
const LEAST_VOCABULARY = 51_865;
/** Failures that the model is not to blame for. */
const OF_MACHINE: ReadonlySet<RunErrorReason> = new Set(['busy', 'aborted', 'sandbox', 'missing-binary', 'disk-full']);

/**
 * Recognizes what is said in samples of 16 bits, mono, 16 kHz: in the sandbox, on the CPU. What has no speech is not
 * given to whisper.cpp where the network for voice activity is installed.
 * @throws SpeechError `not-installed`, RunError
 */
export async function recognizeSpeech(
  runner: SpeechRunner,
  samples: Buffer,
  { model, language, workDir, limits, threads = 1, signal, onProgress, files = speechFiles() }: SpeechOptions,
): Promise<RecognizedSpeech> {
  await writeFile(join(workDir, SOUND), samples, { mode: 0o600 });
  const { stdout, cpuMs } = await run(runner, files, {
    order: { model, language, threads, sound: SOUND, voiceActivity: files.voiceActivity },
    options: {
      ...{ cwd: workDir, limits, background: true, maxStdoutBytes: MOST_RESULT_BYTES, ...(signal ? { signal } : {}) },
      onStderrLine: (line) => {
        const percent = /^progress = (\d+)%$/.exec(line)?.[1];
        if (percent !== undefined) onProgress?.(Math.min(1, Number(percent) / 100));
      },
    },
  });
  return { json: Buffer.from(stdout), cpuMs };
}

/**
 * Has whisper.cpp load a model, in the sandbox.
 * @throws SpeechError with the reason why it cannot be used; RunError where the machine is to blame.
 */
export async function checkSpeechModel(runner: SpeechRunner, model: string, signal?: AbortSignal): Promise<void> {
  const files = speechFiles();
  await checkHeader(model);
  try {
    await run(runner, files, {
      order: { model, language: null, threads: 1, sound: null, voiceActivity: null },
      options: { limits: LOAD_LIMITS, ...(signal ? { signal } : {}) },
    });
  } catch (error) {
    if (!(error instanceof RunError) || OF_MACHINE.has(error.reason)) throw error;
    throw new SpeechError('refused', 'whisper.cpp does not load it.', { cause: error });
  }
}

interface Run {
  readonly order: { readonly model: string; readonly [member: string]: unknown };
  readonly options: Parameters<SpeechRunner['runProgram']>[2];
}

function run(runner: SpeechRunner, { engine, readOnly }: SpeechFiles, { order, options }: Run): Promise<RunResult> {
  return runner.runProgram(process.execPath, [...NODE_FLAGS, SPEECH_PROGRAM, JSON.stringify({ engine, ...order })], {
    ...options,
    name: 'whisper.cpp',
    readOnly: [...readOnly, order.model],
  });
}

async function checkHeader(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    if (bytesRead < 8 || buffer.readUInt32LE(0) !== MAGIC)
      throw new SpeechError('refused', 'it is not a model of whisper.cpp in the ggml format.');
    if (buffer.readUInt32LE(4) < LEAST_VOCABULARY)
      throw new SpeechError('refused', 'it knows English alone; take one without ".en" in its name.');
  } finally {
    await file.close();
  }
}
