import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import {
  type Permission,
  TEST_TOKEN_PERMISSIONS,
  TOKEN_PERMISSIONS,
  withReading,
} from '../../../kernel/permissions.ts';

/** Tokens of one account, expired ones included. */
export const MAX_TOKENS = 100;
export const MAX_TOKEN_NAME = 80;
export const MAX_TOKEN_CHANNELS = 100;
/** How far ahead a token may expire. */
export const MAX_TOKEN_DAYS = 1_826;
/** Days for which an expired token is listed. */
export const EXPIRED_TOKEN_DAYS = 30;
const DAY_MS = 86_400_000;
const CONTROL = /\p{Cc}/u;

/** Input for a new token; identifiers of channels are parsed. */
export interface TokenInput {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Omitted: all channels of the account, also later ones. */
  readonly channels?: Maybe<readonly string[]>;
  /** Omitted: never. */
  readonly expiresAt?: Maybe<string>;
  /** Omitted: false. */
  readonly test?: Maybe<boolean>;
}

/** What a token is for. */
export interface TokenScope {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly channelIds: readonly string[] | null;
  readonly expiresAtMs: number | null;
  /** Whether it is for tests: for the account's test channel only. */
  readonly isTest: boolean;
}

/** The checked input. Throws INVALID_INPUT or FIELD_REQUIRED with the field under `input`. */
export function readTokenInput(input: TokenInput, nowMs: number): TokenScope {
  const isTest = input.test === true;
  const channelIds = readChannels(input.channels);
  if (isTest && channelIds !== null)
    throw invalid(
      'channels',
      t`A test token is for the account's test channel only.`,
      t`Leave channels out, or leave test out for a token that works on these channels.`,
    );
  return {
    name: readName(input.name),
    permissions: readPermissions(input.permissions, isTest),
    channelIds,
    expiresAtMs: readExpiry(input.expiresAt, nowMs),
    isTest,
  };
}

function readName(given: string): string {
  const name = given.trim();
  if (name === '')
    throw new AppError('FIELD_REQUIRED', t`A token needs a name.`, {
      field: 'input.name',
      suggestedFix: t`Name the program that uses it, such as "Upload script".`,
    });
  if (name.length > MAX_TOKEN_NAME || CONTROL.test(name))
    throw invalid(
      'name',
      t`The name of a token has at most ${MAX_TOKEN_NAME} characters and no control characters.`,
      t`Shorten it.`,
    );
  return name;
}

function readPermissions(given: readonly string[], isTest: boolean): Permission[] {
  const allowed: readonly string[] = isTest ? TEST_TOKEN_PERMISSIONS : TOKEN_PERMISSIONS;
  if (given.length === 0)
    throw new AppError('FIELD_REQUIRED', t`A token needs at least one permission.`, {
      field: 'input.permissions',
      suggestedFix: t`Choose among ${allowed.join(', ')}.`,
    });
  const unknown = given.find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw invalid(
      'permissions',
      isTest
        ? t`A test token cannot have the permission ${unknown.slice(0, 100)}.`
        : t`A token cannot have the permission ${unknown.slice(0, 100)}.`,
      t`Choose among ${allowed.join(', ')}.`,
    );
  return withReading(given as readonly Permission[]); // all were found in the list
}

function readChannels(given: Maybe<readonly string[]>): string[] | null {
  if (given === undefined || given === null) return null;
  const channels = [...new Set(given)];
  if (channels.length === 0 || channels.length > MAX_TOKEN_CHANNELS)
    throw invalid(
      'channels',
      t`A token is limited to between 1 and ${MAX_TOKEN_CHANNELS} channels.`,
      t`Leave channels out for all channels of the account.`,
    );
  return channels;
}

function readExpiry(given: Maybe<string>, nowMs: number): number | null {
  if (given === undefined || given === null) return null;
  const expiresAtMs = Date.parse(given);
  if (expiresAtMs > nowMs && expiresAtMs <= nowMs + MAX_TOKEN_DAYS * DAY_MS) return expiresAtMs;
  throw invalid(
    'expiresAt',
    t`A token must expire in the future, at most five years ahead.`,
    t`Leave it out for a token that does not expire, or name an instant like 2027-12-31T23:59:59Z.`,
  );
}

function invalid(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field: `input.${field}`, suggestedFix });
}
