/**
 * The reference: what a careful engineer would write by hand for exactly these four operations, with node:http, a plain
 * pg pool, named statements and the same SQL shapes (key check folded in). No parsing of GraphQL, no cost, no events
 * of the edge. Run by bench/graphql.ts.
 */
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import pg from 'pg';
import { permissionsOf } from '../../server/src/kernel/permissions.ts';
import type { PlanCode } from '../../server/src/kernel/plans.ts';
import { secretsFrom } from '../../server/src/platform/config/secret-key.ts';
import { typeParsers } from '../../server/src/platform/db/types.ts';

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 4,
  application_name: 'raw',
  types: typeParsers,
  options: '-c timezone=UTC',
});
const secrets = secretsFrom(Buffer.from(process.env.SECRET_KEY ?? '', 'base64'));
const VIEWER = `with u as (select a.id as account_id, a.username, a.primary_channel_id as channel_id, s.plan, s.state, s.access_until
  from api_keys k join accounts a on a.id = k.account_id join subscriptions s on s.account_id = a.id where k.lookup_hash = $1)`;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Every column the statements below select; each row has some of them. */
interface Row {
  access_until: string;
  username: string;
  channel_id: string;
  plan: PlanCode;
  state: string;
  name: string;
  id: string | null;
  published_at: string;
  title: string;
  summary: string;
  duration_ms: number | null;
  total: number;
  h_id: string | null;
  created_at: string;
  status: string;
  updated_at: string;
}

const hasId = (row: Row): row is Row & { id: string } => row.id !== null;

type Handler = (key: Buffer, variables: Record<string, string>) => Promise<object | null>;

const did = (kind: string, id: string) => `did:reelgraph:${kind}/${id}`;
const cursor = (at: string, id: string) => Buffer.from(`${at}\0${id}`).toString('base64url');
const seconds = (ms: number | null) => (ms === null ? null : ms / 1000);

async function query(name: string, text: string, values: unknown[]): Promise<Row[] | null> {
  const { rows } = await pool.query<Row>({ name: `${name}:${createHash('sha256').update(text).digest('hex').slice(0, 8)}`, text, values });
  const viewer = rows[0];
  if (!viewer || viewer.access_until === '-infinity') return null;
  return rows;
}

const VERIFY = `${VIEWER} select u.*, c.name from u join channels c on c.id = u.channel_id`;
const LIST = `${VIEWER} select u.account_id, u.access_until, f.*, n.total
  from u left join lateral (select counter_value('listed:FEATURE', '${NOBODY}') as total) n on true
  left join lateral (select c.id, c.published_at, c.title, c.summary, c.duration_ms, c.channel_id, h.name
    from (select * from contents c where c.listed and c.kind = 'FEATURE' order by c.published_at desc, c.id desc limit 21) c
    join channels h on h.id = c.channel_id) f on true
  order by f.published_at desc, f.id desc`;
const NESTED = `${VIEWER} select u.account_id, u.access_until, h.id as h_id, h.name, h.created_at, h.total, f.id, f.published_at, f.title, f.duration_ms
  from u left join lateral (select h.id, h.name, h.created_at, counter_value('channel:listed:FEATURE', h.id) as total
    from channels h order by h.created_at desc, h.id desc limit 11) h on true
  left join lateral (select c.id, c.published_at, c.title, c.duration_ms from contents c
    where c.channel_id = h.id and c.listed and c.kind = 'FEATURE' order by c.published_at desc, c.id desc limit 6) f on true
  order by h.created_at desc, h.id desc, f.published_at desc, f.id desc`;
const UPDATE = `${VIEWER}, target as (select c.id, c.channel_id, c.status, coalesce(m.role in ('EDITOR', 'MANAGER', 'OWNER'), false) as owned, c.status = 'PUBLISHED' and c.visibility <> 'PRIVATE' as open
    from u join contents c on c.id = $2 and c.kind = $3 and c.deleted_at is null left join channel_members m on m.channel_id = c.channel_id and m.account_id = u.account_id
    where u.access_until > now() and u.plan in ('PREMIUM_PLUS', 'CREATOR_PLUS') for update of c),
  changed as (update contents c set title = coalesce($4, c.title), summary = coalesce($5, c.summary), short_summary = coalesce($6, c.short_summary),
      keywords = coalesce($7::text[], c.keywords), visibility = coalesce($8, c.visibility), layout = coalesce($9, c.layout), updated_at = now()
    from target t where c.id = t.id and t.owned and t.status in ('DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED')
    returning c.id, c.status, c.title, c.updated_at, c.channel_id),
  event as (insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed)
  select u.account_id, u.access_until, (select owned from target) as owned, (select open from target) as open, (select status from target) as before,
    changed.id, changed.status, changed.title, changed.updated_at from u left join changed on true`;

const HANDLERS: Record<string, Handler> = {
  async Verify(key) {
    const viewer = (await query('verify', VERIFY, [key]))?.[0];
    if (!viewer) return null;
    const id = did('channel', viewer.channel_id);
    return {
      verifyConnection: {
        authenticated: true,
        user: { id, username: viewer.username },
        channel: { id, name: viewer.name },
        subscription: { plan: viewer.plan, state: viewer.state },
        permissions: permissionsOf(viewer.plan, 'key'),
      },
    };
  },
  async List(key) {
    const rows = await query('list', LIST, [key]);
    if (!rows) return null;
    const page = rows.filter(hasId).slice(0, 20);
    const edges = page.map((row) => ({
      cursor: cursor(row.published_at, row.id),
      node: {
        id: did('content/feature', row.id),
        publishedAt: row.published_at,
        metadata: { title: row.title, summary: row.summary, duration: seconds(row.duration_ms) },
        channel: { id: did('channel', row.channel_id), metadata: { name: row.name } },
      },
    }));
    return {
      features: { edges, pageInfo: { hasNextPage: rows.length > 20, endCursor: edges.at(-1)?.cursor ?? null }, totalCount: rows[0]?.total },
    };
  },
  async Nested(key) {
    const rows = await query('nested', NESTED, [key]);
    if (!rows) return null;
    const channels = new Map<string, { id: string; row: Row; edges: object[] }>();
    for (const row of rows) {
      if (row.h_id === null) continue;
      let channel = channels.get(row.h_id);
      if (!channel) {
        channel = { id: row.h_id, row, edges: [] };
        channels.set(row.h_id, channel);
      }
      if (!hasId(row) || channel.edges.length === 5) continue;
      channel.edges.push({
        node: {
          id: did('content/feature', row.id),
          publishedAt: row.published_at,
          metadata: { title: row.title, duration: seconds(row.duration_ms) },
        },
      });
    }
    const all = [...channels.values()];
    const page = all.slice(0, 10);
    const last = page.at(-1);
    const edges = page.map(({ id, row, edges: features }) => ({
      node: { id: did('channel', id), metadata: { name: row.name }, features: { edges: features, totalCount: row.total } },
    }));
    return {
      channels: { edges, pageInfo: { hasNextPage: all.length > 10, endCursor: last ? cursor(last.row.created_at, last.id) : null } },
    };
  },
  async Update(key, { id = '', title = '' }) {
    const row = (
      await query('update', UPDATE, [key, id.slice(id.lastIndexOf('/') + 1), 'FEATURE', title, null, null, null, null, null])
    )?.[0];
    if (!row || !hasId(row)) return null;
    return {
      updateContent: { id: did('content/feature', row.id), status: row.status, metadata: { title: row.title }, updatedAt: row.updated_at },
    };
  },
};

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end('ok');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    answer(Buffer.concat(chunks).toString(), request.headers.authorization ?? '', response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
});

async function answer(text: string, authorization: string, response: ServerResponse): Promise<void> {
  // Only the benchmark talks to this server.
  const body = JSON.parse(text) as { query: string; variables?: Record<string, string> };
  const name = /^\w+ (\w+)/.exec(body.query)?.[1] ?? '';
  const key = secrets.mac('api-key-lookup', authorization.slice('Bearer '.length));
  const data = await HANDLERS[name]?.(key, body.variables ?? {});
  const json = Buffer.from(JSON.stringify(data ? { data } : { errors: [{ message: 'refused' }] }));
  response.writeHead(data ? 200 : 401, { 'content-type': 'application/json; charset=utf-8', 'content-length': json.length });
  response.end(json);
}

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
process.on('SIGTERM', () => server.close(() => void pool.end()));
