import assert from 'node:assert/strict';
import { type Credential, type Engine, formatDid, type GraphqlResult, type TrustedDocuments } from '../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../kernel/content-kinds.ts';
import type { Conflict } from '../../kernel/errors.ts';
import type { SwitchedOff } from '../../kernel/features.ts';
import { newId } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/languages/languages.ts';
import type { ChannelRole } from '../../kernel/permissions.ts';
import { testRunner } from '../../media/testing.ts';
import type { ManualClock } from '../../platform/clock.ts';
import { sql } from '../../platform/db/statement.ts';
import type { StorageSpace } from '../../platform/storage/storage-space.ts';
import { type Domains, wireDomains } from '../../wiring.ts';
import { createTestAccount } from '../accounts/testing.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform } from '../assets/testing.ts';
import type { FakeGoogle } from '../publishing/fake-google.fixture.ts';

export interface Person {
  readonly accountId: string;
  readonly channelId: string;
  /** DID of the channel. */
  readonly channel: string;
  readonly credential: Credential;
  /** The API key as text. */
  readonly key: string;
  readonly username: string;
  /** Default: English. */
  readonly language?: Language;
}

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: responses vary with the documents; assertions check them
  readonly data: any;
  readonly errors: {
    code: string;
    field: string | undefined;
    message: string;
    suggestedFix: string;
    retryable: boolean;
    path: unknown;
    /** With CONFLICT only. */
    conflict?: Conflict;
  }[];
}

/** Options of a test content. `parent` is the DID of its container, `number` its number there. */
export interface TestContent {
  readonly status?: string;
  readonly visibility?: string;
  readonly kind?: ContentKind;
  readonly title?: string;
  readonly parent?: string;
  readonly number?: number;
  /** Who may comment. */
  readonly comments?: 'ENABLED' | 'MEMBERS_ONLY';
  /** Random if omitted. */
  readonly shortCode?: string;
}

/** The whole API on its own database. */
export interface TestCatalog {
  readonly platform: AssetsTestPlatform;
  readonly clock: ManualClock;
  readonly domains: Domains;
  /** The fake Google, when opened with one. */
  readonly google: FakeGoogle | undefined;
  /** An account on Creator+ with an API key. */
  person(name: string): Promise<Person>;
  /** The same account with a session. */
  signedIn(person: Person): Promise<Person>;
  run(who: Person | null, query: string, variables?: Record<string, unknown>): Promise<Answer>;
  /** As `run`; fails the test when there are errors. Returns the data. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  ok(who: Person | null, query: string, variables?: Record<string, unknown>): Promise<any>;
  /** As `run`; fails the test unless there is exactly one error. Returns it as `CODE field`. */
  refused(who: Person | null, query: string, variables?: Record<string, unknown>): Promise<Answer['errors'][number]>;
  /** Counts the round trips and statements of `work`. */
  counted<T>(work: () => Promise<T>): Promise<{ result: T; roundTrips: number; statements: number }>;
  /** Creates a content in a state that otherwise requires processing; returns its DID. */
  content(owner: Person, options?: TestContent): Promise<string>;
  /** Makes the person a member of the channel, given as a DID. */
  join(channel: string, person: Person, role: ChannelRole): Promise<void>;
  row<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row>;
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface TestOptions {
  /** Whether jobs can be sent. */
  readonly jobs?: boolean;
  readonly env?: Record<string, string>;
  /** The capacity of the object store; unlimited by default. */
  readonly space?: StorageSpace;
  /** Replaces the object store in the platform's folder. */
  readonly storage?: Pick<AssetsTestPlatform, 'store' | 'receiving'>;
  /** Replace those of the web application. */
  readonly trustedDocuments?: TrustedDocuments;
  /** Features that are switched off. */
  readonly switchedOff?: SwitchedOff;
  /** Used instead of Google, and closed at the end. */
  readonly google?: FakeGoogle;
}

/** Tests exceed the rate limits of an account. */
const MANY_POINTS = { RATE_LIMIT_POINTS: '1000000' };

/** Opens the API as the composition root does. */
export async function openTestCatalog(options: TestOptions = {}): Promise<TestCatalog> {
  const env = { ...MANY_POINTS, ...options.google?.env, ...options.env };
  const plain = await createAssetsTestPlatform(env, options.space);
  const { store, receiving } = options.storage ?? plain;
  const platform = { ...plain, store, receiving };
  const domains = await wireDomains({ ...platform, databaseUrl: platform.test.url }, '1.2.3', testRunner, {
    documents: options.trustedDocuments,
    switchedOff: options.switchedOff,
  });
  if (options.jobs) await platform.jobs.start();
  const { db, clock } = platform;
  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    db.run<Row>(sql('test', text), values);
  const run = async (who: Person | null, query: string, variables?: Record<string, unknown>) =>
    answerOf(await execute(domains.engine, who, query, variables));

  return {
    platform,
    clock,
    domains,
    google: options.google,
    run,
    rows,
    row: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      const [row] = await rows<Row>(text, values);
      assert.ok(row, 'the statement answers a row');
      return row;
    },
    person: (name) => createPerson(platform, domains, name),
    async join(channel, { accountId }, role) {
      const now = new Date(clock.now()).toISOString();
      await rows('insert into channel_members (channel_id, account_id, role, created_at) values ($1, $2, $3, $4)', [
        uuidOf(channel),
        accountId,
        role,
        now,
      ]);
    },
    async signedIn(person) {
      const token = `session-of-${person.accountId}`;
      await rows(
        'insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, $2, ' +
          `now() + interval '9 days') on conflict do nothing`,
        [person.accountId, token],
      );
      return { ...person, credential: { kind: 'session', token } };
    },
    async ok(who, query, variables) {
      const response = await run(who, query, variables);
      assert.deepEqual(response.errors, []);
      return response.data;
    },
    async refused(who, query, variables) {
      const { errors } = await run(who, query, variables);
      const [error, ...more] = errors;
      assert.ok(error && more.length === 0, `one error, not ${JSON.stringify(errors)}`);
      assert.ok(error.suggestedFix.length > 0);
      return error;
    },
    async counted(work) {
      await domains.accounts.writeKeyUses(); // otherwise they may be written concurrently
      const before = { ...db.statistics };
      const result = await work();
      return {
        result,
        roundTrips: db.statistics.roundTrips - before.roundTrips,
        statements: db.statistics.statements - before.statements,
      };
    },
    content: (owner, options = {}) => insertContent(platform, rows, owner, options),
    close: () => closeAll(platform, domains, options),
  };
}

/** An account on Creator+ with an API key. */
async function createPerson(platform: AssetsTestPlatform, domains: Domains, name: string): Promise<Person> {
  const created = await createTestAccount(platform, name);
  const { accountId, channelId } = created;
  const key = created.apiKey ?? assert.fail('there is a key');
  const credential = domains.accounts.credentialFromKey(key);
  return {
    accountId,
    channelId,
    channel: formatDid(platform.config.DID_NAMESPACE, 'channel', channelId),
    credential,
    key,
    username: name,
  };
}

/** Inserts a content in a state that otherwise requires processing; returns its DID. */
async function insertContent(
  { config, clock }: AssetsTestPlatform,
  rows: TestCatalog['rows'],
  owner: Person,
  options: TestContent,
): Promise<string> {
  const {
    status = 'READY',
    visibility = 'PUBLIC',
    kind = 'FEATURE',
    title = 'A video',
    parent,
    number,
    comments = 'ENABLED',
    shortCode,
  } = options;
  clock.advance(1);
  const id = newId<'content'>(clock.now());
  const now = new Date(clock.now()).toISOString();
  await rows(
    `insert into contents (id, channel_id, kind, title, status, visibility, published_at, created_at, updated_at,
          parent_id, number, comment_mode)
         values ($1, $2, $3, $4, $5, $6, case when $5 = 'PUBLISHED' then $7::timestamptz end, $7, $7, $8, $9, $10)`,
    [
      id,
      owner.channelId,
      kind,
      title,
      status,
      visibility,
      now,
      parent === undefined ? null : uuidOf(parent),
      number ?? null,
      comments,
    ],
  );
  if (shortCode) await rows('update contents set short_code = $2 where id = $1', [id, shortCode]);
  return formatDid(config.DID_NAMESPACE, CONTENT_KINDS[kind].did, id);
}

async function closeAll(platform: AssetsTestPlatform, domains: Domains, options: TestOptions): Promise<void> {
  if (options.jobs) await platform.jobs.stop({ graceMs: 1_000 });
  await domains.engagement.close();
  await domains.discovery.close();
  await domains.integrations.close();
  await domains.publishing.close();
  await domains.ai.close();
  await domains.live.close();
  await domains.catalog.close();
  await domains.media.close();
  await domains.accounts.stop();
  await platform.close();
  await options.google?.close();
}

/** A published episode of a published season of a published series, as DIDs. */
export async function publishedEpisode(
  api: TestCatalog,
  owner: Person,
): Promise<{ serie: string; season: string; episode: string }> {
  const serie = await api.content(owner, { kind: 'SERIES', status: 'PUBLISHED' });
  const season = await api.content(owner, { kind: 'SEASON', status: 'PUBLISHED', parent: serie, number: 1 });
  return {
    serie,
    season,
    episode: await api.content(owner, { kind: 'EPISODE', status: 'PUBLISHED', parent: season, number: 1 }),
  };
}

/** The UUID at the end of a DID. */
export function uuidOf(did: string): string {
  return did.slice(-36);
}

function execute(
  engine: Engine,
  who: Person | null,
  query: string,
  variables: Record<string, unknown> | undefined,
): Promise<GraphqlResult> {
  const credential = who?.credential ?? { kind: 'anonymous' as const };
  return engine.execute({
    query,
    variables,
    credential,
    queriesOnly: false,
    requestId: 'test',
    reader: who?.language ? { language: who.language } : undefined,
    signal: new AbortController().signal,
  });
}

/** As the client reads it: through JSON. Every error of the engine carries the extensions of the catalogue. */
function answerOf({ body }: GraphqlResult): Answer {
  const { data, errors = [] } = JSON.parse(JSON.stringify(body)) as {
    data?: unknown;
    errors?: { message: string; path: unknown; extensions: Answer['errors'][number] }[];
  };
  return {
    data,
    errors: errors.map(({ message, path, extensions: { code, field, suggestedFix, retryable, conflict } }) => ({
      code,
      field,
      message,
      suggestedFix,
      retryable,
      path,
      ...(conflict === undefined ? {} : { conflict }),
    })),
  };
}
