import type { Runner } from '../../../media/index.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Logger } from '../../../platform/log.ts';
import { workFolders } from '../../assets/index.ts';
import { openAiRecognizer } from '../recognizers/openai-recognizer.ts';
import { openService } from '../recognizers/service-endpoint.ts';
import { speechEngine } from '../recognizers/speech-engine.ts';
import { installedSpeechModel } from '../recognizers/speech-models.ts';
import type { SpeechRecognizer } from '../recognizers/speech-recognizer.ts';
import { whisperCppRecognizer } from '../recognizers/whisper-cpp-recognizer.ts';
import { whisperRecognizer } from '../recognizers/whisper-recognizer.ts';
import type { CaptionsTranslator } from './captions-translator.ts';
import { openAiTranslator } from './openai-translator.ts';

/** What makes captions on a worker; null where it is not set up. */
export interface Captioning {
  /** As it is now: a model may be installed at any time. */
  recognizer(): SpeechRecognizer | null;
  readonly translator: CaptionsTranslator | null;
  close(): Promise<void>;
}

/** Opens what the settings name. Nothing is started or reached before it is used. */
export function openCaptioning(config: Config, runner: Runner, log: Logger): Captioning {
  const closing: (() => Promise<void>)[] = [];
  const open = (name: 'speech' | 'translation', url: string, apiKey: string | undefined) => {
    const service = openService({ name, url, apiKey }, log);
    closing.push(() => service.close());
    return service;
  };
  return {
    recognizer: recognizerOf(config, runner, log, open),
    translator: translatorOf(config, log, open),
    close: async () => {
      for (const close of closing) await close();
    },
  };
}

type Open = (name: 'speech' | 'translation', url: string, apiKey: string | undefined) => ReturnType<typeof openService>;

function recognizerOf(config: Config, runner: Runner, log: Logger, open: Open): () => SpeechRecognizer | null {
  const { SPEECH, SPEECH_URL: url, SPEECH_API_KEY: apiKey, SPEECH_MODEL, WHISPER_CPP_MODEL: model } = config;
  const folders = workFolders(config.DATA_DIR, log);
  if (SPEECH === 'auto')
    return () => {
      const installed = speechEngine(config) === null ? null : installedSpeechModel(config.DATA_DIR);
      return installed === null ? null : whisperRecognizer({ model: installed, runner, folders, log });
    };
  let recognizer: SpeechRecognizer | null = null;
  if (SPEECH === 'openai' && url !== undefined)
    recognizer = openAiRecognizer(open('speech', url, apiKey), SPEECH_MODEL);
  if (SPEECH === 'whisper-cpp' && model !== undefined)
    recognizer = whisperCppRecognizer({ command: config.WHISPER_CPP_PATH, model, runner, folders, log });
  return () => recognizer;
}

function translatorOf(config: Config, log: Logger, open: Open): CaptionsTranslator | null {
  const { TRANSLATION, TRANSLATION_URL: url, TRANSLATION_API_KEY: apiKey, TRANSLATION_MODEL: model } = config;
  if (TRANSLATION === 'off' || url === undefined || model === undefined) return null;
  return openAiTranslator(open('translation', url, apiKey), model, log);
}
