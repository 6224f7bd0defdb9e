import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A model that can be installed by its name. */
export interface PublishedModel {
  readonly url: string;
  readonly sizeBytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Models of whisper.cpp as it publishes them (MIT), by the name for `install-speech-model`. */
export const PUBLISHED_MODELS: Readonly<Record<string, PublishedModel>> = {
  small: {
    url: 'https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-small.bin',
    sizeBytes: 487_601_967,
    sha256: '1be3a9b2063867b937e64e2ec7483364a79917e157fa98c5d94b5c1fffea987b',
  },
};

/** The folder of the model in `dataDir`; it has one file, and those that are being installed. */
export function speechModelFolder(dataDir: string): string {
  return join(dataDir, 'models', 'speech');
}

/** The path of the installed model; null where there is none. */
export function installedSpeechModel(dataDir: string): string | null {
  const folder = speechModelFolder(dataDir);
  try {
    const [name] = readdirSync(folder).filter(isModelFile);
    return name === undefined ? null : join(folder, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

export function isModelFile(name: string): boolean {
  return /^[^.].*\.bin$/.test(name);
}
