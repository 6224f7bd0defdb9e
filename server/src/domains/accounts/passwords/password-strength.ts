import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Details of the account, which people often use as a password. */
export interface PasswordOwner {
  readonly email: string;
  readonly username: string;
}

/** Out of 4: below it fewer than a million guesses find the password (zxcvbn's scale, 10^6 guesses). */
const LEAST_SCORE = 2;
/** Characters that are measured: the estimate takes time quadratic in the length, and 64 characters are enough. */
const MEASURED_LENGTH = 64;

let loaded: Promise<ZxcvbnFactory> | undefined;

/**
 * Throws INVALID_INPUT for a password that is easy to guess: one of the 49,000 most used and leaked, one built from
 * them, from the email address or the username, a keyboard row, a sequence of letters or digits, a date. Short
 * passwords are for checkPassword. The lists (1.9 MB, about 30 MB of memory) are loaded with the first password;
 * nothing is sent anywhere.
 */
export async function assertPasswordStrong(password: string, owner: PasswordOwner, field = 'password'): Promise<void> {
  loaded ??= loadEstimator();
  const { score, feedback } = (await loaded).check(password, wordsOf(owner));
  if (score >= LEAST_SCORE) return;
  const message =
    feedback.warning === 'userInputs'
      ? t`This password is too close to the email address or the username.`
      : t`This password is too easy to guess: it is, or is close to, one that is used often or was leaked.`;
  throw new AppError('INVALID_INPUT', message, {
    field,
    suggestedFix: t`Choose another: four or more unrelated words, or one made by a password manager.`,
  });
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Factory({ dictionary, graphs, maxLength: MEASURED_LENGTH });
}

function wordsOf({ email, username }: PasswordOwner): string[] {
  const [local = ''] = email.split('@');
  return [email, local, username, 'reelgraph'].map((word) => word.toLowerCase());
}
