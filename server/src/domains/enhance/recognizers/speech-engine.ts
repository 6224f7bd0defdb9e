import { isSpeechEngineInstalled } from '../../../media/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import { installedSpeechModel } from './speech-models.ts';

export type SpeechConfig = Pick<Config, 'SPEECH' | 'DATA_DIR'>;

/** What recognizes speech: the whisper.cpp of the platform, that of the operator, or a service. */
export type SpeechEngine = 'whisper' | 'whisper-cpp' | 'openai';

/** What recognizes speech on this machine now; null where nothing is set up. */
export function speechEngine({ SPEECH, DATA_DIR }: SpeechConfig): SpeechEngine | null {
  if (SPEECH === 'off') return null;
  if (SPEECH !== 'auto') return SPEECH;
  return installedSpeechModel(DATA_DIR) !== null && isSpeechEngineInstalled() ? 'whisper' : null;
}
