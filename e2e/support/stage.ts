import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { freePort } from '../../server/src/platform/config/free-port.ts';
import { newVisitor, PERSONS_BROWSER, startBrowser, type Visitor } from './browser.ts';
import { type Platform, startPlatform } from './harness.ts';
import { type Member, makeMember, makeOperator } from './members.ts';

/**
 * The platform and the browser that the journeys of a process share. Each uses its own accounts only, and leaves the
 * settings of the server as they were, which the end of each file checks.
 */
export interface Stage {
  readonly baseUrl: string;
  /** Scratch folder of this file of journeys. */
  readonly folder: string;
  /** Where the platform's messages are. */
  readonly mailFolder: string;
  readonly browser: Browser;
  /** Ports of this machine for webhooks: one for a receiver, and a closed one. */
  readonly receiverPort: number;
  readonly silentPort: number;
  /** An account on Creator+ with a key, or on Free without one, created without a browser. */
  account(plan?: 'CREATOR_PLUS' | 'FREE'): Promise<Member>;
  /** An operator of the server. */
  operator(): Promise<Member>;
  /** An anonymous visitor, with a separate device and address. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
  /** The same, signed in; with a new account unless `member` is given. */
  signedIn(options?: BrowserContextOptions, member?: Member): Promise<Visitor & { readonly member: Member }>;
}

interface Opened {
  readonly platform: Platform;
  /** Reads the settings of the server. */
  readonly reader: Member;
  /** Those at the start. */
  readonly settings: unknown;
  readonly browser: Browser;
  readonly receiverPort: number;
}

/** The discard port (RFC 863), where nothing listens. */
const SILENT_PORT = 9;

let opened: Promise<Opened> | null = null;
/** Files of this process that have not ended yet. */
let waiting = 0;
/** When tests are selected by name, hooks run only in files with selected tests: each closes what it opened. */
const isNarrowed = process.execArgv.some((flag) => flag.startsWith('--test-name-pattern'));

/**
 * For the start of a journeys file: opens the stage before the tests, and closes it after the last file of the process.
 */
export function sharedStage(): Stage {
  waiting += 1;
  let mine: Opened | undefined;
  let folder = '';
  before(async () => {
    opened ??= open();
    [mine, folder] = await Promise.all([opened, mkdtemp(join(tmpdir(), 'reelgraph-journeys-'))]);
  });
  after(async () => {
    waiting -= 1;
    await rm(folder, { recursive: true, force: true });
    if (!mine) return;
    const settings = await settingsOf(mine.platform, mine.reader);
    if (waiting === 0 || isNarrowed) await close(mine);
    assert.deepEqual(settings, mine.settings, 'a journey has changed the settings of the server, which others share');
  });
  const current = (): Opened => mine ?? assert.fail('the stage opens before the first journey');
  const visitor = (options: BrowserContextOptions = {}) =>
    newVisitor(current().browser, current().platform.baseUrl, {
      extraHTTPHeaders: { 'x-forwarded-for': someAddress() },
      ...options,
    });
  const account = (plan: 'CREATOR_PLUS' | 'FREE' = 'CREATOR_PLUS') =>
    makeMember(current().platform, `member_${randomBytes(5).toString('hex')}`, plan);
  return {
    get baseUrl() {
      return current().platform.baseUrl;
    },
    get folder() {
      return folder;
    },
    get mailFolder() {
      return join(current().platform.settings.DATA_DIR, 'mail');
    },
    get browser() {
      return current().browser;
    },
    get receiverPort() {
      return current().receiverPort;
    },
    silentPort: SILENT_PORT,
    account,
    async operator() {
      const member = await account('FREE');
      await makeOperator(current().platform, member);
      return member;
    },
    visitor,
    async signedIn(options, known) {
      const member = known ?? (await account());
      const found = await visitor(options);
      const { baseUrl } = current().platform;
      const data = { email: member.email, password: member.password };
      const response = await found.context.request.post('/api/auth/sign-in/email', {
        headers: { origin: baseUrl },
        data,
      });
      assert.equal(response.status(), 200, await response.text());
      return { ...found, member };
    },
  };
}

async function open(): Promise<Opened> {
  const receiverPort = await freePort();
  // Visitors have separate addresses, because sign-ups per address are limited.
  const settings = {
    TRUST_PROXY: 'on',
    SIGN_UP: 'open',
    // Journeys go from page to page faster than people do.
    RATE_LIMIT_RESTORE: '10000',
    SRT_PORTS: `${await freePort()}`,
    FETCH_ALLOW: `127.0.0.1:${receiverPort},127.0.0.1:${SILENT_PORT}`,
  };
  const [platform, browser] = await Promise.all([startPlatform(settings), startBrowser(PERSONS_BROWSER)]);
  const reader = await makeMember(platform, 'settings_reader');
  return { platform, browser, receiverPort, reader, settings: await settingsOf(platform, reader) };
}

/** What everyone can read of the settings of the server, by an account that no journey has. */
async function settingsOf({ baseUrl }: Platform, { key }: Member): Promise<unknown> {
  const query = `{ instance { name signUp featuresOff accentColor logo { url } termsUrl privacyUrl
    termsText { changedAt } privacyText { changedAt } } }`;
  const response = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

async function close({ browser, platform }: Opened): Promise<void> {
  opened = null;
  await browser.close();
  await platform.stop();
}

/** An address in 198.18.0.0/15, which is reserved for tests (RFC 2544). */
function someAddress(): string {
  const [a = 0, b = 0, c = 0] = randomBytes(3);
  return `198.${18 + (a % 2)}.${b}.${c}`;
}
