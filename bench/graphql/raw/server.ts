/**
 * The reference: what a careful engineer would write by hand for the measured operations, with node:http, a plain pg
 * pool, named statements and one statement for each operation, which includes the key check. It does not parse GraphQL,
 * calculate costs or write logs. Work other than reading data (highlighting words, signing addresses, naming subjects)
 * uses the platform's functions on both sides. Run by bench/graphql.ts.
 */
import { createServer, type ServerResponse } from 'node:http';
import { verify } from './account.ts';
import { overview } from './analytics.ts';
import { threads } from './comments.ts';
import { type Handler, pool, secrets } from './database.ts';
import { events } from './events.ts';
import { list, nested } from './lists.ts';
import { items } from './playlist.ts';
import { search } from './search.ts';
import { update } from './update.ts';
import { watch } from './watch.ts';

/** By the names of the operations in operations.ts. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  Verify: verify,
  List: list,
  Nested: nested,
  Update: update,
  Watch: watch,
  Threads: threads,
  Items: items,
  Search: search,
  Overview: overview,
  LatestEvents: events,
};

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end('ok');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    result(Buffer.concat(chunks).toString(), request.headers.authorization ?? '', response).catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
});

async function result(text: string, authorization: string, response: ServerResponse): Promise<void> {
  // Only the benchmark talks to this server.
  const body = JSON.parse(text) as { query: string; variables?: Record<string, string> };
  const name = /^\w+ (\w+)/.exec(body.query)?.[1] ?? '';
  const key = secrets.mac('api-key-lookup', authorization.slice('Bearer '.length));
  const data = await HANDLERS[name]?.(key, body.variables ?? {});
  const json = Buffer.from(JSON.stringify(data ? { data } : { errors: [{ message: 'refused' }] }));
  response.writeHead(data ? 200 : 401, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': json.length,
  });
  response.end(json);
}

server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
process.on('SIGTERM', () => server.close(() => void pool.end()));
