import type { Runner } from '../../../media/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/log.ts';
import { workFolders } from '../processing/work-folders.ts';
import { openAiRecognizer } from './openai-recognizer.ts';
import { openService } from './service-endpoint.ts';
import type { SpeechRecognizer } from './speech-recognizer.ts';
import { whisperCppRecognizer } from './whisper-cpp-recognizer.ts';

/** What makes captions from speech on a worker. */
export interface OpenRecognizer {
  /** Null where none is set up. */
  readonly recognizer: SpeechRecognizer | null;
  close(): Promise<void>;
}

/** Opens what the settings name. Nothing is started or reached before it is used. */
export function openRecognizer(config: Config, runner: Runner, log: Logger): OpenRecognizer {
  const { SPEECH_URL: url, SPEECH_API_KEY: apiKey, SPEECH_MODEL, WHISPER_CPP_MODEL } = config;
  if (config.SPEECH === 'openai' && url !== undefined) {
    const service = openService({ name: 'speech', url, apiKey }, log);
    return { recognizer: openAiRecognizer(service, SPEECH_MODEL), close: () => service.close() };
  }
  if (config.SPEECH === 'whisper-cpp' && WHISPER_CPP_MODEL !== undefined) {
    const folders = workFolders(config.DATA_DIR, log);
    const whisper = { command: config.WHISPER_CPP_PATH, model: WHISPER_CPP_MODEL, runner, folders, log };
    return { recognizer: whisperCppRecognizer(whisper), close: async () => {} };
  }
  return { recognizer: null, close: async () => {} };
}
