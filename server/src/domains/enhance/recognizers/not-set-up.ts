import { AppError } from '../../../kernel/errors.ts';
import { type Message, phrase, t } from '../../../kernel/languages/message.ts';
import { isSpeechEngineInstalled } from '../../../media/index.ts';
import { type SpeechConfig, speechEngine } from './speech-engine.ts';

/** The error where nothing is set up that makes captions. Repeating the request does not help. */
export function speechNotSetUp(config: SpeechConfig): AppError {
  return new AppError('INVALID_INPUT', t`Captions from speech are not set up on this server.`, {
    suggestedFix: t`Write captions with createContentCaptions. ${setupOf(config)}`,
  });
}

/** A sentence that says what the operator can do for captions from speech; null where they are set up, or off. */
export function speechSetup(config: SpeechConfig): Message | null {
  return config.SPEECH === 'auto' && speechEngine(config) === null ? setupOf(config) : null;
}

function setupOf({ SPEECH }: SpeechConfig): Message {
  if (SPEECH === 'off') return phrase`The operator of this server can switch captions from speech on with SPEECH=auto.`;
  if (isSpeechEngineInstalled())
    return phrase`The operator of this server can install a speech model with
      npm run admin -- install-speech-model small.`;
  return phrase`The operator of this server can set SPEECH to a command or a service that recognizes speech; see the
    guide /docs/guides/captions.`;
}
