import { formatDid } from '../../gql/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { PLAN_CODES, SUBSCRIPTION_STATES } from '../../kernel/plans.ts';
import { listAccounts, requireAccount } from './account-lookup.ts';
import {
  ACCOUNT_FLAGS,
  type AdminCommand,
  type AdminCommands,
  type AdminPlatform,
  CheckResult,
  type Flags,
  readFlags,
  requiredFlag,
  type SetUpCommand,
  SWITCH,
  subscriptionFlags,
  TEXT,
  textFlag,
  UsageError,
  whoFlags,
} from './admin-command.ts';
import { attemptsOf } from './attempts/attempts.ts';
import { randomBase62 } from './keys/api-key.ts';
import { revokeApiKey } from './keys/revoke-api-key.ts';
import { OPERATOR_COMMANDS } from './operators/operator-commands.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { createAccount } from './sessions/create-account.ts';
import { removeStrongSignIn } from './sessions/strong-sign-in/strong-sign-in.store.ts';
import { setSubscription } from './subscriptions/change-subscription.ts';
import { accessUntilMs } from './subscriptions/subscription.policy.ts';

export interface AdminResult {
  /** 0 success, 1 refused or problems found, 2 wrong usage. */
  readonly exitCode: 0 | 1 | 2;
  /** JSON for scripts, with a line break. */
  readonly stdout: string;
  /** What went wrong, or the usage. */
  readonly stderr: string;
}

const SUBSCRIPTION_FLAGS = { plan: TEXT, state: TEXT, 'ends-at': TEXT };

/** The commands of this domain. */
const COMMANDS: AdminCommands = {
  'create-account': {
    about: 'Creates an account with its channel; prints the password if it was generated.',
    usage:
      '--email E --username U [--password P] [--name N] [--plan PLAN] ' +
      '[--state STATE] [--ends-at TIME] [--api-key] [--operator]',
    options: {
      ...ACCOUNT_FLAGS,
      password: TEXT,
      name: TEXT,
      ...SUBSCRIPTION_FLAGS,
      'api-key': SWITCH,
      operator: SWITCH,
    },
    run: runCreateAccount,
  },
  'set-subscription': {
    about: 'Sets plan and state of an account, whatever they were before.',
    usage: '--email E | --username U --plan PLAN [--state STATE] [--ends-at TIME]',
    options: { ...ACCOUNT_FLAGS, ...SUBSCRIPTION_FLAGS },
    run: runSetSubscription,
  },
  'list-accounts': {
    about: 'Lists all accounts with their plan and the hint of their key.',
    usage: '',
    options: {},
    run: runListAccounts,
  },
  'reset-password': {
    about: 'Replaces the password, signs the account out everywhere and resets its sign-in limits.',
    usage: '--email E | --username U [--password P]',
    options: { ...ACCOUNT_FLAGS, password: TEXT },
    run: runResetPassword,
  },
  'remove-second-factor': {
    about: 'Removes two-factor authentication and passkeys of an account that lost them: its password is enough then.',
    usage: '--email E | --username U',
    options: ACCOUNT_FLAGS,
    run: runRemoveSecondFactor,
  },
  'revoke-key': {
    about: 'Removes the API key: it stops working at once.',
    usage: '--email E | --username U',
    options: ACCOUNT_FLAGS,
    run: runRevokeKey,
  },
  ...OPERATOR_COMMANDS,
};

/**
 * Runs one operator command against the database; prints nothing itself. `argv` starts with the command's name, `more`
 * are those of other domains. One that runs before there is a database (`isSetUpCommand`) needs the settings only.
 */
export async function runAdminCommand(
  argv: readonly string[],
  platform: AdminPlatform | Pick<AdminPlatform, 'config'>,
  more: AdminCommands = {},
): Promise<AdminResult> {
  const [name = '', ...rest] = argv;
  if (name === '--help' || name === 'help') return { exitCode: 0, stdout: adminUsage(more), stderr: '' };
  try {
    const command = find(name, more);
    if (!command) throw new UsageError(name ? `There is no command ${name}.` : 'Name a command.');
    const returned = await runCommand(command, platform, readFlags(command, rest));
    const { result, passed } = returned instanceof CheckResult ? returned : { result: returned, passed: true };
    return { exitCode: passed ? 0 : 1, stdout: `${JSON.stringify(result, null, 2)}\n`, stderr: '' };
  } catch (error) {
    if (error instanceof UsageError)
      return { exitCode: 2, stdout: '', stderr: `${error.message}\n\n${adminUsage(more)}` };
    if (!(error instanceof AppError)) throw error;
    const { code, message, field, suggestedFix } = error;
    return {
      exitCode: 1,
      stdout: '',
      stderr: `${JSON.stringify({ error: { code, message, field, suggestedFix } }, null, 2)}\n`,
    };
  }
}

function runCommand(
  command: AdminCommand | SetUpCommand,
  platform: AdminPlatform | Pick<AdminPlatform, 'config'>,
  flags: Flags,
): Promise<unknown> {
  if ('setUp' in command) return command.setUp(platform.config, flags);
  if (!('db' in platform)) throw new Error('This command needs a database.');
  return command.run(platform, flags);
}

/** Whether the command runs before there is a database. */
export function isSetUpCommand(name: string, more: AdminCommands): boolean {
  const command = find(name, more);
  return command !== undefined && 'setUp' in command;
}

/** Whether this call would reach a command, so that no database is started only to print the usage. */
export function isAdminCommand(argv: readonly string[], more: AdminCommands = {}): boolean {
  const [name = '', ...rest] = argv;
  const command = find(name, more);
  if (!command) return false;
  try {
    readFlags(command, rest);
    return true;
  } catch {
    return false;
  }
}

/** The usage text. */
export function adminUsage(more: Readonly<Record<string, Pick<AdminCommand, 'about' | 'usage'>>> = {}): string {
  const commands = Object.entries({ ...COMMANDS, ...more }).map(([name, { usage, about }]) =>
    `  ${name} ${usage}`.trimEnd().concat(`\n      ${about}`),
  );
  const values =
    `PLAN is ${PLAN_CODES.join(', ')}; STATE is ` +
    `${SUBSCRIPTION_STATES.join(', ')}; TIME is like 2026-12-31T23:59:59Z.`;
  return `Usage: npm run admin -- COMMAND [flags]\n\n${commands.join('\n')}\n\n${values}\n`;
}

function find(name: string, more: AdminCommands): AdminCommand | SetUpCommand | undefined {
  const commands: AdminCommands = { ...COMMANDS, ...more };
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

async function runCreateAccount(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const password = textFlag(flags, 'password') ?? randomBase62(20);
  const account = await createAccount(platform, {
    email: requiredFlag(flags, 'email'),
    username: requiredFlag(flags, 'username'),
    password,
    name: textFlag(flags, 'name'),
    subscription: subscriptionFlags(flags),
    apiKey: flags['api-key'] === true,
    isOperator: flags.operator === true,
  });
  const namespace = platform.config.DID_NAMESPACE;
  return {
    accountId: formatDid(namespace, 'user', account.accountId),
    channelId: formatDid(namespace, 'channel', account.channelId),
    email: account.email,
    username: account.username,
    ...(flags.password === undefined ? { password } : {}),
    ...(account.apiKey === null ? {} : { apiKey: account.apiKey }),
  };
}

async function runSetSubscription(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const setting = subscriptionFlags(flags);
  if (!setting) throw new UsageError('--plan is missing.');
  const account = await requireAccount(platform.db, whoFlags(flags));
  const nowMs = platform.clock.now();
  const facts = await platform.db.transaction((tx) => setSubscription(tx, account.id, setting, nowMs));
  const until = accessUntilMs(facts);
  return {
    accountId: formatDid(platform.config.DID_NAMESPACE, 'user', account.id),
    email: account.email,
    username: account.username,
    plan: facts.plan,
    state: facts.state,
    accessUntil: Number.isFinite(until) ? new Date(until).toISOString() : until > 0 ? 'infinity' : '-infinity',
  };
}

async function runListAccounts(platform: AdminPlatform): Promise<unknown> {
  const namespace = platform.config.DID_NAMESPACE;
  const accounts = await listAccounts(platform.db);
  return {
    accounts: accounts.map(({ id, channelId, ...rest }) => ({
      accountId: formatDid(namespace, 'user', id),
      channelId: formatDid(namespace, 'channel', channelId),
      ...rest,
    })),
  };
}

async function runResetPassword(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const account = await requireAccount(platform.db, whoFlags(flags));
  const password = textFlag(flags, 'password') ?? randomBase62(20);
  await resetPassword(platform, account, password);
  await attemptsOf(platform).forgive(account);
  return { email: account.email, username: account.username, ...(flags.password === undefined ? { password } : {}) };
}

async function runRemoveSecondFactor(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const { id, email, username } = await requireAccount(platform.db, whoFlags(flags));
  return { email, username, removed: await platform.db.transaction((tx) => removeStrongSignIn(tx, id)) };
}

async function runRevokeKey(platform: AdminPlatform, flags: Flags): Promise<unknown> {
  const account = await requireAccount(platform.db, whoFlags(flags));
  return { email: account.email, username: account.username, revoked: await revokeApiKey(platform, account.id) };
}
