import type { SqlReader } from '@reelgraph/sql-planner';
import type { GraphQLSchema } from 'graphql';
import type { ApiVersions } from '../../kernel/api-versions.ts';
import { AppError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { ManualClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../platform/db/testing.ts';
import type { Engine } from '../engine.ts';
import type { Limits } from '../limits/request-cost.ts';
import { createEngine } from '../pipeline.ts';
import type { Services } from '../request-context.ts';
import type { GraphqlRequest, GraphqlResult } from '../requests.ts';
import type { TrustedDocuments } from '../trusted-documents.ts';
import type { Authorize, Credential, ViewerSource } from '../viewer.ts';

/** Makers have shelves of items; items are books or tools and have tags. */
const TABLES = `
  create table people (id uuid primary key, channel_id uuid not null, username text not null, plan text not null,
    state text not null,
                       access_until timestamptz not null, secret bytea not null unique);
  create table makers (id uuid primary key, owner_id uuid not null, name text not null unique,
    made_at timestamptz not null, favourite_id uuid);
  create table things (id uuid primary key, maker_id uuid not null references makers, kind text not null,
    title text not null, weight bigint,
                       hidden boolean not null default false, facts jsonb not null default '[]',
                         made_at timestamptz not null);
  create table tags   (id uuid primary key, thing_id uuid not null references things, maker_id uuid not null,
    label text not null, made_at timestamptz not null);
  create index on things (maker_id, made_at desc, id desc);
`;

export interface FixtureRow {
  id: string;
  made_at: string;
}
export interface Maker extends FixtureRow {
  owner_id: string;
  name: string;
  favourite_id: string | null;
}
export interface Thing extends FixtureRow {
  maker_id: string;
  kind: 'Book' | 'Tool';
  title: string;
  weight: number | null;
  hidden: boolean;
  facts: Array<{ name: string; value: number }>;
}
export interface Tag extends FixtureRow {
  thing_id: string;
  maker_id: string;
  label: string;
}

/** The same rows in memory. */
export interface FixtureData {
  makers: Maker[];
  things: Thing[];
  tags: Tag[];
}

export const START_MS = Date.parse('2026-03-01T12:00:00Z');

const VIEWERS: ViewerSource = {
  key:
    'select id as account_id, channel_id, username, plan, state, access_until, false as is_operator from people ' +
    'where secret = $1',
  token:
    'select id as account_id, channel_id, username, plan, state, access_until, false as is_operator, id as token_id, ' +
    `'test' as token_name, '{}'::text[] as token_permissions, null::uuid[] as token_channels, false as token_is_test ` +
    'from people where secret = $1',
  oauth:
    'select id as account_id, channel_id, username, plan, state, access_until, false as is_operator from people ' +
    "where 'token-of-' || username = $1::text",
  session:
    'select id as account_id, channel_id, username, plan, state, access_until, false as is_operator from people ' +
    "where 'session-of-' || username = $1::text and $2 > '2000-01-01'",
  anonymous:
    'select null::uuid as account_id, null::uuid as channel_id, null::text as username, null::text as plan, ' +
    'null::text as state, null::timestamptz as access_until, false as is_operator',
};

const authorize: Authorize = (viewer, access, nowMs) => {
  if (access === 'public') return { kind: 'allow' };
  if (!viewer) return { kind: 'deny', error: new AppError('UNAUTHENTICATED') };
  if (viewer.credential === 'key' && viewer.accessUntilMs <= nowMs)
    return { kind: 'deny', error: new AppError('UNAUTHORIZED', 'The subscription has lapsed.') };
  if (access === 'api_key:manage' && viewer.credential === 'key')
    return { kind: 'deny', error: new AppError('UNAUTHORIZED', 'Only when signed in.') };
  return { kind: 'allow' };
};

export interface Fixture {
  readonly db: Database;
  readonly data: FixtureData;
  readonly clock: ManualClock;
  readonly engine: Engine;
  readonly errors: unknown[];
  readonly seen: string[];
  readonly key: Credential;
  readonly person: { id: string; channelId: string };
  /** A second engine over the same database. */
  engineWith(options: {
    limits?: Partial<Limits>;
    trustedDocuments?: TrustedDocuments;
    db?: SqlReader;
    versions?: ApiVersions;
  }): Engine;
  run(query: string, variables?: Record<string, unknown>, more?: Partial<GraphqlRequest>): Promise<GraphqlResult>;
  addPerson(username: string, accessUntil: string): Promise<Credential>;
  close(): Promise<void>;
}

/** A database with rows and an engine over `schema`. */
export async function openFixture(
  schema: GraphQLSchema,
  size: { makers: number; thingsPerMaker: number; tagsPerThing: number },
): Promise<Fixture> {
  const database = await createTestDatabase();
  const { db } = database;
  await db.transaction(async (tx) => void (await tx.executeSql(TABLES)));
  const person = { id: newId(), channelId: newId() };
  const credential = await insertPerson(db, 'ada', 'infinity', person);
  const data = makeData(person.id, size);
  await insertData(db, data);
  const clock = new ManualClock(START_MS);
  const errors: unknown[] = [];
  const seen: string[] = [];
  const engineWith: Fixture['engineWith'] = (more) =>
    createEngine({
      schema,
      db,
      clock,
      viewerSource: VIEWERS,
      authorize,
      env: { baseUrl: 'https://fixture.example', namespace: 'fixture' },
      services: {} as Services, // the fixture's schema uses none
      log: { error: (context) => errors.push(context) },
      onViewer: (viewer) => seen.push(viewer.username),
      ...more,
    });
  const engine = engineWith({});
  return {
    db,
    data,
    clock,
    engine,
    errors,
    seen,
    key: credential,
    person,
    engineWith,
    addPerson: (username, accessUntil) => insertPerson(db, username, accessUntil, { id: newId(), channelId: newId() }),
    run: (query, variables, more) =>
      engine.execute(requestOf(query, credential, { ...(variables ? { variables } : {}), ...more })),
    close: () => database.close(),
  };
}

export function requestOf(query: string, credential: Credential, more: Partial<GraphqlRequest> = {}): GraphqlRequest {
  return {
    query,
    credential,
    queriesOnly: false,
    requestId: 'request-1',
    signal: new AbortController().signal,
    ...more,
  };
}

async function insertPerson(
  db: Database,
  username: string,
  accessUntil: string,
  person: { id: string; channelId: string },
): Promise<Credential> {
  const lookupHash = Buffer.from(username.padEnd(32, '.'));
  await db.run(
    {
      name: 'fixture-person',
      text:
        'insert into people (id, channel_id, username, plan, state, access_until, secret) values ($1, $2, $3, ' +
        "'CREATOR_PLUS', 'ACTIVE', $4, $5)",
    },
    [person.id, person.channelId, username, accessUntil, lookupHash],
  );
  return { kind: 'key', lookupHash };
}

/** Deterministic rows; several share an instant, so that order needs the id. */
function makeData(
  ownerId: string,
  size: { makers: number; thingsPerMaker: number; tagsPerThing: number },
): FixtureData {
  const data: FixtureData = { makers: [], things: [], tags: [] };
  const at = (index: number) =>
    new Date(START_MS - Math.floor(index / 3) * 1_000)
      .toISOString()
      .replace('Z', `${String(index % 7).padStart(3, '0')}Z`);
  for (let m = 0; m < size.makers; m += 1) {
    const maker: Maker = {
      id: newId(),
      owner_id: m % 2 === 0 ? ownerId : newId(),
      name: `maker ${m}`,
      made_at: at(m),
      favourite_id: null,
    };
    data.makers.push(maker);
    // The last maker is empty.
    const count = m === size.makers - 1 ? 0 : size.thingsPerMaker;
    for (let t = 0; t < count; t += 1) {
      const thing: Thing = {
        id: newId(),
        maker_id: maker.id,
        kind: t % 2 === 0 ? 'Book' : 'Tool',
        title: `thing ${m}.${t} "quoted" \\ ünïcode`,
        weight: t % 3 === 0 ? null : 2 ** 40 + t,
        hidden: t % 5 === 4,
        facts: [{ name: 'pages', value: t }],
        made_at: at(t),
      };
      data.things.push(thing);
      if (t === 1) maker.favourite_id = thing.id;
      for (let g = 0; g < (t % 4 === 3 ? 0 : size.tagsPerThing); g += 1) {
        data.tags.push({
          id: newId(),
          thing_id: thing.id,
          maker_id: maker.id,
          label: `tag ${m}.${t}.${g}`,
          made_at: at(g),
        });
      }
    }
  }
  return data;
}

async function insertData(db: Database, data: FixtureData): Promise<void> {
  for (const [table, rows] of Object.entries(data)) {
    await db.run(
      {
        name: `fixture-${table}`,
        text: `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      },
      [JSON.stringify(rows)],
    );
  }
}

export type { TestDatabase };
