import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** The error where the operator has set nothing up that makes captions. Repeating the request does not help. */
export function speechNotSetUp(): AppError {
  return new AppError('INVALID_INPUT', t`Captions from speech are not set up on this server.`, {
    suggestedFix: t`Write captions with createContentCaptions. The operator can set SPEECH; see the guide
      /docs/guides/captions.`,
  });
}
