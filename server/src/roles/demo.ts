import { randomBytes } from 'node:crypto';
import { createAccount, DEMO_EMAIL, requireAccount, resetPassword, revealApiKey } from '../domains/accounts/index.ts';
import { AppError } from '../kernel/errors.ts';
import type { Runner } from '../media/index.ts';
import { withReconnect } from '../platform/db/with-reconnect.ts';
import type { Logger } from '../platform/log.ts';
import type { Platform } from '../platform/platform.ts';
import { type DemoAccount, keepDemoAccount, publishDemoClips, readDemoAccount } from './demo-channel.ts';
import type { RunningRole } from './role.ts';

export interface RunningDemo extends RunningRole {
  readonly account: DemoAccount;
}

/** Creates the demo account on the first run, and publishes its clips while the platform already serves requests. */
export async function startDemo(options: {
  platform: Platform;
  address: string;
  runner: Runner;
  log: Logger;
}): Promise<RunningDemo> {
  const { platform, address, runner, log } = options;
  const account =
    readDemoAccount(platform.config.DATA_DIR) ??
    (await withReconnect(() => makeDemoAccount(platform), { log, step: 'demo account' }));
  const stop = new AbortController();
  const publishing = publishDemoClips({ address, apiKey: account.apiKey, runner, log, signal: stop.signal }).catch(
    (error: unknown) => {
      if (!stop.signal.aborted) log.warn({ error }, 'the demo clips could not be published; the next start retries');
    },
  );
  return {
    account,
    async stop() {
      stop.abort();
      await publishing;
    },
  };
}

async function makeDemoAccount(platform: Platform): Promise<DemoAccount> {
  const email = DEMO_EMAIL;
  const password = randomBytes(15).toString('base64url');
  const subscription = { plan: 'CREATOR_PLUS', state: 'ACTIVE' } as const;
  const input = { email, username: 'demo', name: 'Reelgraph Demo', password, subscription, apiKey: true };
  const created = await createAccount(platform, input).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'RESOURCE_ALREADY_EXISTS')
      return recoverDemoAccount(platform, email, password);
    throw error;
  });
  if (created.apiKey === null) throw new Error('The demo account has no API key.');
  const account = { email, password, apiKey: created.apiKey };
  keepDemoAccount(platform.config.DATA_DIR, account);
  return account;
}

/** The process was killed between creating the account and storing its password: the account gets a new one. */
async function recoverDemoAccount(platform: Platform, email: string, password: string): Promise<{ apiKey: string }> {
  const account = await requireAccount(platform.db, { email });
  await resetPassword(platform, account, password);
  return { apiKey: await revealApiKey(platform, account.id) };
}
