import { join } from 'node:path';
import { startPlatform } from '../../e2e/harness.ts';
import { admin } from '../../e2e/instances.ts';
import { createTestDatabase } from '../../server/src/platform/db/testing.ts';
import { FaultyProxy } from './faulty-proxy.fixture.ts';

/** An account with a channel and a key. */
export interface TestAccount {
  readonly key: string;
  readonly channelId: string;
}

/** A running platform behind a network that fails when it is told to. */
export interface TestPlatform extends TestAccount {
  /** Address behind the proxy; uploads go through it too. */
  readonly url: string;
  readonly proxy: FaultyProxy;
  /** Scratch folder, removed at the end. */
  readonly folder: string;
  account(name: string): TestAccount;
  stop(): Promise<void>;
}

/** Starts it with a database of its own; `settings` go before the defaults. */
export async function openTestPlatform(settings: Readonly<Record<string, string>> = {}): Promise<TestPlatform> {
  const database = await createTestDatabase();
  const proxy = await FaultyProxy.start();
  const common = { DATABASE_URL: database.url, BASE_URL: proxy.url };
  const platform = await startPlatform({ ...common, ...settings });
  proxy.target = Number(new URL(platform.baseUrl).port);
  const env = { ...common, DATA_DIR: join(platform.folder, 'data'), PORT: String(proxy.target) };
  const account = (name: string): TestAccount => {
    const flags = ['--email', `${name}@example.com`, '--username', name, '--plan', 'CREATOR_PLUS', '--api-key'];
    const made = admin(env, 'create-account', ...flags);
    return { key: made.apiKey ?? '', channelId: made.channelId ?? '' };
  };
  return {
    ...account('someone'),
    url: proxy.url,
    proxy,
    folder: platform.folder,
    account,
    async stop() {
      proxy.close();
      await platform.stop();
      await database.close();
    },
  };
}
