import { parseArgs } from 'node:util';
import { PLAN_CODES, type PlanCode, SUBSCRIPTION_STATES, type SubscriptionState } from '../../kernel/plans.ts';
import type { Platform } from '../../platform/platform.ts';
import type { OperatorSetting } from './subscriptions/subscription.policy.ts';

export type Flags = Readonly<Record<string, string | boolean | undefined>>;
export type FlagOptions = Readonly<Record<string, { type: 'string' | 'boolean' }>>;

export type AdminPlatform = Pick<Platform, 'db' | 'clock' | 'secrets' | 'config'>;

/** Commands by name. */
export type AdminCommands = Readonly<Record<string, AdminCommand | SetUpCommand>>;

/** An operator command. */
export interface AdminCommand {
  readonly about: string;
  readonly usage: string;
  readonly options: FlagOptions;
  /** The option that an argument without a name sets. */
  readonly argument?: string;
  readonly run: (platform: AdminPlatform, flags: Flags) => Promise<unknown>;
}

/** An operator command that runs before there is a database. */
export interface SetUpCommand extends Omit<AdminCommand, 'run'> {
  readonly setUp: (config: AdminPlatform['config'], flags: Flags) => Promise<unknown>;
}

/** The result of a command that checks something: printed like any other, with exit status 1 unless it passed. */
export class CheckResult {
  readonly result: unknown;
  readonly passed: boolean;

  constructor(result: unknown, passed: boolean) {
    this.result = result;
    this.passed = passed;
  }
}

export const TEXT = { type: 'string' } as const;
export const SWITCH = { type: 'boolean' } as const;
export const ACCOUNT_FLAGS = { email: TEXT, username: TEXT };

/** Invalid arguments: exit status 2, with the usage text. */
export class UsageError extends Error {}

/** The flags of a call. Throws UsageError for unknown flags, and for more arguments than one that has a name. */
export function readFlags({ options, argument }: Pick<AdminCommand, 'options' | 'argument'>, args: string[]): Flags {
  try {
    const allowPositionals = argument !== undefined;
    const { values, positionals } = parseArgs({ args, options, strict: true, allowPositionals });
    const [given, ...others] = positionals;
    if (others.length > 0) throw new UsageError(`Unexpected arguments: ${others.join(' ')}.`);
    return argument === undefined || given === undefined ? values : { ...values, [argument]: given };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' ? value : undefined;
}

export function requiredFlag(flags: Flags, name: string): string {
  const value = textFlag(flags, name);
  if (value === undefined) throw new UsageError(`--${name} is missing.`);
  return value;
}

export function whoFlags(flags: Flags): { email?: string | undefined; username?: string | undefined } {
  const email = textFlag(flags, 'email');
  const username = textFlag(flags, 'username');
  if ((email === undefined) === (username === undefined))
    throw new UsageError('Name the account by --email or by --username.');
  return { email, username };
}

/** The instant a flag names, in Unix milliseconds. */
export function timeFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name);
  const timeMs = text === undefined ? undefined : Date.parse(text);
  if (timeMs !== undefined && Number.isNaN(timeMs)) throw new UsageError(`--${name} ${text} is not a time.`);
  return timeMs;
}

/** A whole number of at least 0; `otherwise` without the flag. */
export function countFlag(flags: Flags, name: string, otherwise: number): number {
  const text = textFlag(flags, name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`--${name} ${text} is not a number.`);
  return Number(text);
}

export function subscriptionFlags(flags: Flags): OperatorSetting | undefined {
  const plan = oneOf(flags, 'plan', PLAN_CODES);
  const state = oneOf(flags, 'state', SUBSCRIPTION_STATES);
  const endsAtMs = timeFlag(flags, 'ends-at');
  if (plan === undefined) {
    if (state !== undefined || endsAtMs !== undefined) throw new UsageError('--state and --ends-at need --plan.');
    return undefined;
  }
  return { plan, state: state ?? 'ACTIVE', endsAtMs };
}

function oneOf<Value extends PlanCode | SubscriptionState>(
  flags: Flags,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const given = textFlag(flags, name);
  if (given === undefined) return undefined;
  const value = values.find((candidate) => candidate === given.toUpperCase());
  if (value === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}.`);
  return value;
}
