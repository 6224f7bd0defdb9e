import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Platform, startPlatform } from '../../../e2e/support/harness.ts';
import { makeMember } from '../../../e2e/support/members.ts';
import { FaultyProxy } from './faulty-proxy.fixture.ts';

/** An account with a channel and a key. */
export interface TestAccount {
  readonly username: string;
  readonly key: string;
  readonly channelId: string;
}

/** A running platform behind a proxy that injects network failures. */
export interface TestPlatform extends TestAccount {
  /** Address of the proxy; uploads use it, too. */
  readonly url: string;
  readonly proxy: FaultyProxy;
  /** Scratch folder, removed at the end. */
  readonly folder: string;
  /** Received bytes of incomplete uploads. */
  receivedBytes(): number;
  account(): Promise<TestAccount>;
}

interface Opened {
  readonly platform: Platform;
  readonly proxy: FaultyProxy;
}

let shared: Promise<Opened> | null = null;
/** Test files of this process that share a platform and have not ended. */
let waiting = 0;
/** With a filter by name, hooks run only in files with a matching test, so each file closes what it opened. */
const isNarrowed = process.execArgv.some((flag) => flag.startsWith('--test-name-pattern'));

/**
 * For the top of a test file or suite: a platform that these files of a process share, each with its own account and
 * folder. It closes when the last of them has ended.
 */
export function sharedTestPlatform(): TestPlatform {
  waiting += 1;
  return platformOf(
    () => (shared ??= open({ RATE_LIMIT_POINTS: '100000', FETCH_ALLOW: '127.0.0.1' })),
    async (opened) => {
      waiting -= 1;
      if (waiting > 0 && !isNarrowed) return;
      shared = null;
      await close(opened);
    },
  );
}

/** The same on a platform of its own; `settings` override the defaults. */
export function ownTestPlatform(settings: Readonly<Record<string, string>>): TestPlatform {
  return platformOf(() => open(settings), close);
}

/** Opens it before the tests of the file or suite, and closes it after them. */
function platformOf(enter: () => Promise<Opened>, leave: (opened: Opened) => Promise<void>): TestPlatform {
  let now: (Opened & { readonly folder: string; readonly mine: TestAccount }) | undefined;
  const someone = ({ platform }: Opened) => makeMember(platform, `someone_${randomBytes(4).toString('hex')}`);
  before(async () => {
    const opened = await enter();
    // What the file before it left.
    opened.proxy.reset();
    opened.proxy.breakAll();
    now = { ...opened, folder: await mkdtemp(join(tmpdir(), 'reelgraph-client-')), mine: await someone(opened) };
  });
  after(async () => {
    if (!now) return;
    await rm(now.folder, { recursive: true, force: true });
    await leave(now);
  });
  const current = () => {
    if (!now) throw new Error('The platform opens before the first test.');
    return now;
  };
  return {
    get username() {
      return current().mine.username;
    },
    get key() {
      return current().mine.key;
    },
    get channelId() {
      return current().mine.channelId;
    },
    get url() {
      return current().proxy.url;
    },
    get proxy() {
      return current().proxy;
    },
    get folder() {
      return current().folder;
    },
    receivedBytes: () => bytesBelow(join(current().platform.settings.DATA_DIR, 'objects', ',receiving')),
    account: () => someone(current()),
  };
}

function bytesBelow(folder: string): number {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

async function open(settings: Readonly<Record<string, string>>): Promise<Opened> {
  const proxy = await FaultyProxy.start();
  const platform = await startPlatform({ BASE_URL: proxy.url, ...settings });
  proxy.target = Number(new URL(platform.baseUrl).port);
  return { platform, proxy };
}

async function close({ platform, proxy }: Opened): Promise<void> {
  proxy.close();
  await platform.stop();
}
