import { startPlatform } from '../../e2e/harness.ts';
import { makeMember } from '../../e2e/members.ts';
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
  account(name: string): Promise<TestAccount>;
  stop(): Promise<void>;
}

/** Starts it with a database of its own; `settings` go before the defaults. */
export async function openTestPlatform(settings: Readonly<Record<string, string>> = {}): Promise<TestPlatform> {
  const proxy = await FaultyProxy.start();
  const platform = await startPlatform({ BASE_URL: proxy.url, ...settings });
  proxy.target = Number(new URL(platform.baseUrl).port);
  const account = (name: string): Promise<TestAccount> => makeMember(platform, name);
  return {
    ...(await account('someone')),
    url: proxy.url,
    proxy,
    folder: platform.folder,
    account,
    async stop() {
      proxy.close();
      await platform.stop();
    },
  };
}
