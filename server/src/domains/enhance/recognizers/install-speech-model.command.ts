import { createRunner } from '../../../media/index.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts';
import { type AdminCommands, TEXT, textFlag, UsageError } from '../../accounts/index.ts';
import { installSpeechModel } from './install-speech-model.ts';
import { PUBLISHED_MODELS } from './speech-models.ts';

/** The command that installs the model with which captions are made from speech. */
export const INSTALL_SPEECH_MODEL_COMMAND = installSpeechModelCommand(PUBLISHED_MODELS);

/** As {@link INSTALL_SPEECH_MODEL_COMMAND}, with these models by name. */
export function installSpeechModelCommand(published: typeof PUBLISHED_MODELS): AdminCommands {
  return {
    'install-speech-model': {
      about:
        'Installs the model for captions from speech on this machine: small (466 MB, downloaded from huggingface.co) ' +
        'or FILE, a multilingual model of whisper.cpp. It replaces the one that is installed.',
      usage: 'small|FILE',
      options: { model: TEXT },
      argument: 'model',
      async run({ config }, flags) {
        const source = textFlag(flags, 'model');
        if (source === undefined) throw new UsageError('Name a model, or its file.');
        const runner = await createRunner({ require: config.SANDBOX === 'require', missingTools: 'when-run' });
        const { fetch, close } = createGuardedFetch({ allow: readFetchAllow(config.FETCH_ALLOW) });
        const stopping = new AbortController();
        const stop = () => stopping.abort();
        for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop);
        try {
          const tools = { dataDir: config.DATA_DIR, runner, fetch, published, signal: stopping.signal };
          return await installSpeechModel(tools, source);
        } finally {
          for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop);
          await close();
        }
      },
    },
  };
}
