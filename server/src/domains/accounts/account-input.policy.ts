import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { isHandle, isReservedHandle, reserved } from '../../kernel/handles.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { withoutDirection } from '../../kernel/text.ts';

/** Input of the sign-up form. */
export interface AccountInput {
  readonly email: string;
  readonly username: string;
  readonly password: string;
  /** Display name; defaults to the username. */
  readonly name?: string | undefined;
}

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const NAME_MAX = 100;
/**
 * The sign-in library's own rule for addresses: one that it refuses could never sign in. RFC 5321 section 4.5.3.1.3
 * limits the length.
 */
const EMAIL = z.email().max(254);
const CONTROL = /\p{Cc}/u;

/**
 * The checked input, email in lower case and texts trimmed. Throws FIELD_REQUIRED or INVALID_INPUT with the field as
 * the sign-up form and the admin command spell it.
 */
export function checkAccountInput(
  input: Readonly<Record<'email' | 'username' | 'password' | 'name', unknown>>,
): AccountInput & { name: string } {
  const email = checkEmail(input.email);
  const username = checkUsername(input.username);
  const password = checkPassword(input.password);
  const name = input.name == null ? username : withoutDirection(text(input.name, 'name')).trim() || username;
  if (name.length > NAME_MAX || CONTROL.test(name)) {
    throw invalid(
      'name',
      t`A name has at most ${NAME_MAX} characters and no control characters.`,
      t`Choose a shorter, plain name, or leave it out.`,
    );
  }
  return { email, username, password, name };
}

/** The display name that another service states for a person, as far as it can be one here; else the username. */
export function displayNameFrom(stated: string | null, username: string): string {
  const plain = withoutDirection(stated ?? '').replace(/\p{Cc}/gu, ' ');
  return plain.trim().slice(0, NAME_MAX).trim() || username;
}

export function checkEmail(value: unknown, field = 'email'): string {
  const email = text(value, field).toLowerCase();
  if (!EMAIL.safeParse(email).success)
    throw invalid(field, t`This is not an email address.`, t`Write it like name@example.com.`);
  return email;
}

export function checkUsername(value: unknown): string {
  const username = text(value, 'username');
  if (isReservedHandle(username)) throw reserved(username, 'username');
  if (isHandle(username)) return username;
  const rule = t`A username must have 2 to 39 characters: letters, digits, underscore, dot and hyphen, starting with a
    letter, digit or underscore.`;
  throw invalid('username', rule, t`Choose one like jane_doe; it is also the handle of the channel.`);
}

/** Passwords are not trimmed. */
export function checkPassword(value: unknown, field = 'password'): string {
  if (typeof value !== 'string' || value === '') throw required(field);
  if (value.length < PASSWORD_MIN || value.length > PASSWORD_MAX) {
    throw invalid(
      field,
      t`A password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`,
      t`Use a passphrase of several unrelated words.`,
    );
  }
  return value;
}

function text(value: unknown, field: string): string {
  if (value === undefined || value === null) throw required(field);
  if (typeof value !== 'string') throw invalid(field, t`${field} must be a string.`, t`Send a JSON string.`);
  const trimmed = value.trim();
  if (trimmed === '') throw required(field);
  return trimmed;
}

function required(field: string): AppError {
  return new AppError('FIELD_REQUIRED', t`${field} is missing.`, { field });
}

function invalid(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
