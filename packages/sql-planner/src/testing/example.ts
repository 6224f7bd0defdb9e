import { randomUUID } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import pg from 'pg';
import { DocumentCache } from '../documents/document-cache.ts';
import { DEFAULT_DOCUMENT_LIMITS } from '../documents/document-limits.ts';
import type { AroundMutation } from '../execution/execution.ts';
import { Executor } from '../execution/executor.ts';
import { respond } from '../execution/respond.ts';
import { Planner } from '../plan/planner.ts';
import { CountingClient } from './counting-client.ts';
import { ExampleError, examplePorts } from './example-ports.ts';

/** Makers have shelves of things; things are books or tools and have tags. */
const TABLES = `
  create table people (id uuid primary key, username text not null, token text not null unique,
    access_until timestamptz not null,
                       is_limited boolean not null default false);
  create table makers (id uuid primary key, owner_id uuid not null, name text not null unique,
    made_at timestamptz not null, favourite_id uuid);
  create table things (id uuid primary key, maker_id uuid not null references makers, kind text not null,
    title text not null, weight bigint,
                       hidden boolean not null default false, facts jsonb not null default '[]',
                         made_at timestamptz not null);
  create table tags   (id uuid primary key, thing_id uuid not null references things, maker_id uuid not null,
    label text not null, made_at timestamptz not null);
  create function refuse_write(name text) returns boolean language plpgsql as $$ begin raise exception using errcode =
    'RG001', message = name; end $$;
  create function in_json(value timestamptz) returns text language sql stable as $$
    select to_char(value, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
  create function in_json(value text) returns text language sql immutable as $$ select value $$;
  create function in_json(value anyelement) returns anyelement language sql immutable as $$ select value $$;
  create index on things (maker_id, made_at desc, id desc);
`;

export interface ExampleRow {
  id: string;
  made_at: string;
}
export interface Maker extends ExampleRow {
  owner_id: string;
  name: string;
  favourite_id: string | null;
}
export interface Thing extends ExampleRow {
  maker_id: string;
  kind: 'Book' | 'Tool';
  title: string;
  weight: number | null;
  hidden: boolean;
  facts: Array<{ name: string; value: number }>;
}
export interface Tag extends ExampleRow {
  thing_id: string;
  maker_id: string;
  label: string;
}

/** The same rows in memory, for the reference implementation. */
export interface ExampleData {
  makers: Maker[];
  things: Thing[];
  tags: Tag[];
}

interface Sizes {
  readonly makers: number;
  readonly thingsPerMaker: number;
  readonly tagsPerThing: number;
}

/** A response with the codes of its errors. */
export interface ExampleResponse {
  readonly data: unknown;
  readonly errors: ReadonlyArray<{
    message: string;
    code: string;
    field: string | undefined;
    path: ReadonlyArray<string | number> | undefined;
  }>;
  readonly cost: number;
  readonly points: number;
}

export interface RunOptions {
  readonly token?: string;
  readonly aroundMutation?: AroundMutation;
}

const NOW = Date.parse('2026-03-01T12:00:00Z');
export const TOKEN = 'token of ada';

/** A database with rows, and the application that runs operations on them. */
export class Example {
  readonly db: CountingClient;
  readonly data: ExampleData;
  /** Owns every other maker. */
  readonly personId: string;
  readonly #documents: DocumentCache;
  readonly #planner = new Planner(examplePorts);
  readonly #executor: Executor;
  readonly #drop: () => Promise<void>;

  private constructor(
    schema: GraphQLSchema,
    db: CountingClient,
    content: { data: ExampleData; personId: string },
    drop: () => Promise<void>,
  ) {
    this.db = db;
    this.data = content.data;
    this.personId = content.personId;
    // Random documents of the reference test are larger than real ones.
    const unlimited = Object.fromEntries(Object.keys(DEFAULT_DOCUMENT_LIMITS).map((name) => [name, 1e6]));
    this.#documents = new DocumentCache(schema, { ...DEFAULT_DOCUMENT_LIMITS, ...unlimited });
    this.#executor = new Executor({ db, ports: examplePorts, timeoutMs: 5_000 });
    this.#drop = drop;
  }

  /** Creates a database on the server at TEST_DATABASE_URL. */
  static async open(schema: GraphQLSchema, sizes: Sizes): Promise<Example> {
    const server = process.env['TEST_DATABASE_URL'];
    if (!server) throw new Error('TEST_DATABASE_URL names no PostgreSQL; `npm test` starts one');
    const name = `planner_${randomUUID().replaceAll('-', '')}`;
    await administer(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const db = await CountingClient.connect(url.href);
    const personId = randomUUID();
    await db.query(TABLES);
    await db.query(`insert into people values ($1, 'ada', $2, 'infinity')`, [personId, TOKEN]);
    const data = makeData(personId, sizes);
    for (const [table, rows] of Object.entries(data))
      await db.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`, [
        JSON.stringify(rows),
      ]);
    return new Example(schema, db, { data, personId }, () => administer(server, `drop database ${name} with (force)`));
  }

  /** One operation, from its text to its response. */
  async run(
    query: string,
    variables: Record<string, unknown> = {},
    { token = TOKEN, ...options }: RunOptions = {},
  ): Promise<ExampleResponse> {
    const lookup = this.#documents.find(query, undefined);
    if (lookup.kind === 'invalid') throw new Error(lookup.errors.errors.map(({ message }) => message).join('\n'));
    const coerced = lookup.operation.coerce(variables);
    if (coerced.errors) throw new Error(coerced.errors.errors.map(({ message }) => message).join('\n'));
    const plan = this.#planner.plan(lookup.operation, 'token', coerced.values);
    const now = new Date(NOW).toISOString();
    const execution = await this.#executor.execute(plan, {
      env: { now, viewer: null, signal: new AbortController().signal },
      credential: { kind: 'token', value: token },
      now,
      variables: coerced.values,
      ...options,
    });
    if (execution.failure) throw execution.failure.error;
    const { data, errors = [] } = await respond(plan, execution, variables);
    return {
      data: JSON.parse(JSON.stringify(data ?? null)),
      errors: errors.map(({ message, originalError, path }) => {
        const known = originalError instanceof ExampleError ? originalError : null;
        return { message, code: known?.code ?? 'INTERNAL', field: known?.field, path };
      }),
      cost: plan.cost,
      points: plan.fixedCost + execution.points,
    };
  }

  /** The data of an operation without errors. */
  async dataOf(query: string, variables?: Record<string, unknown>): Promise<unknown> {
    const { data, errors } = await this.run(query, variables);
    if (errors.length > 0) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** Round trips and statements that an operation takes. */
  async countsOf(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<{ roundTrips: number; statements: number }> {
    const [roundTrips, statements] = [this.db.roundTrips, this.db.sent.length];
    await this.dataOf(query, variables);
    return { roundTrips: this.db.roundTrips - roundTrips, statements: this.db.sent.length - statements };
  }

  async close(): Promise<void> {
    await this.db.close();
    await this.#drop();
  }
}

async function administer(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

let created = 0;
/** UUIDs that sort in the order of creation. */
function nextId(): string {
  created += 1;
  return `0197${created.toString(16).padStart(4, '0')}-0000-7000-8000-${randomUUID().slice(-12)}`;
}

/** Deterministic rows; several have the same time, so that their order needs the id. */
function makeData(ownerId: string, sizes: Sizes): ExampleData {
  const data: ExampleData = { makers: [], things: [], tags: [] };
  const at = (index: number) =>
    new Date(NOW - Math.floor(index / 3) * 1_000).toISOString().replace('Z', `${String(index % 7).padStart(3, '0')}Z`);
  for (let m = 0; m < sizes.makers; m += 1) {
    const maker: Maker = {
      id: nextId(),
      owner_id: m % 2 === 0 ? ownerId : randomUUID(),
      name: `maker ${m}`,
      made_at: at(m),
      favourite_id: null,
    };
    data.makers.push(maker);
    // The last maker has no rows.
    const count = m === sizes.makers - 1 ? 0 : sizes.thingsPerMaker;
    for (let t = 0; t < count; t += 1) {
      const thing: Thing = {
        id: nextId(),
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
      for (let g = 0; g < (t % 4 === 3 ? 0 : sizes.tagsPerThing); g += 1)
        data.tags.push({
          id: nextId(),
          thing_id: thing.id,
          maker_id: maker.id,
          label: `tag ${m}.${t}.${g}`,
          made_at: at(g),
        });
    }
  }
  return data;
}
