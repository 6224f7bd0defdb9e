import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifyWebhook, type WebhookMessage } from '../../clients/typescript/src/index.ts';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { until } from '../../server/src/testing/until.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
let receiver: Server;
let address = '';
/** Requests to the receiver, which refuses those to /down. */
const received: { readonly headers: Record<string, string>; readonly body: string }[] = [];
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
    received.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    response.writeHead(request.url === '/down' ? 503 : 204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
after(() => receiver.close());

interface Webhook {
  readonly id: string;
  readonly events: readonly string[];
  readonly order: string;
  readonly secret?: string;
  readonly isEnabled: boolean;
}

function verified(secret: string): Promise<WebhookMessage[]> {
  return Promise.all(received.map(({ headers, body }) => verifyWebhook(body, headers, secret)));
}

test('webhooks are created, tested, changed, replayed and deleted', async () => {
  const mistyped = await person.run('webhook', 'create', `${address}/down`, '--event', 'playlst.*');
  assert.equal(mistyped.err, 'error: No type of events matches playlst.*.\ntry: Did you mean playlist.*?\n');
  const created = await person.json<Webhook>('webhook', 'create', `${address}/down`, '-e', 'playlist.*', '-d', 'Shop');
  assert.match(created.secret ?? '', /^whsec_/);
  assert.equal(
    (await person.json<Webhook>('webhook', 'update', created.id, '--order', 'per-content')).order,
    'PER_CONTENT',
  );
  const down = await person.run('webhook', 'test', created.id);
  assert.equal(down.code, 1);
  assert.match(down.out, /^✖ failed: 503 in \d+ ms; /);
  assert.equal((await person.run('webhook', 'update', created.id, '--address', `${address}/up`)).code, 0);
  assert.match((await person.run('webhook', 'test', created.id)).out, /^✔ delivered: 204 in \d+ ms\n$/);
  assert.deepEqual(
    (await verified(created.secret ?? '')).map(({ type }) => type),
    ['webhook.test', 'webhook.test'],
  );
  const deliveries = await person.run('webhook', 'deliveries', created.id);
  assert.match(deliveries.out, /DELIVERED {2}webhook\.test {2}204 in .*\n.*FAILED {5}webhook\.test {2}503 in /);
  const { webhooks } = await person.json<{ webhooks: Webhook[] }>('webhook', 'list');
  assert.deepEqual(
    webhooks.map(({ id, events, secret }) => [id, events, secret]),
    [[created.id, ['PLAYLIST_ALL'], undefined]],
  );
  const rotated = await person.run('webhook', 'rotate-secret', created.id);
  assert.match(rotated.out, /^whsec_\S+\n$/);
  assert.notEqual(rotated.out.trim(), created.secret);
  assert.match((await person.run('webhook', 'show', created.id, '--secret')).out, /^secret +whsec_/m);
  const disabled = await person.json<Webhook>('webhook', 'update', created.id, '--disable');
  assert.deepEqual([disabled.isEnabled, disabled.secret], [false, undefined]);
  assert.equal((await person.run('webhook', 'delete', created.id)).code, 2, 'not confirmed');
  assert.equal((await person.run('webhook', 'delete', created.id, '--yes')).code, 0);
  assert.equal((await person.run('webhook', 'show', created.id)).code, 4);
});

test(
  'listen forwards matching events as signed webhooks, and reports how the receiver responds',
  THOROUGH,
  async () => {
    received.length = 0;
    const { secret } = await person.json<{ secret: string }>('webhook', 'listen', '--print-secret');
    const first = await person.json<{ id: string }>('playlist', 'create', 'Before');
    const events = async (): Promise<{ cursor: string; subject: string }[]> => {
      const { out } = await person.run('events', '--type', 'playlist.created', '--json');
      return out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    let cursor = '';
    await until(
      async () => {
        cursor = (await events()).find(({ subject }) => subject === first.id)?.cursor ?? '';
        return cursor !== '';
      },
      () => 'the playlist is not in the event log',
    );
    const playlist = await person.json<{ id: string }>('playlist', 'create', 'After');
    await person.json('series', 'create', 'Not a playlist');
    const port = new URL(address).port;
    const listening = person.start(['webhook', 'listen', `${port}/hooks`, '-e', 'playlist.*', '--after', cursor]);
    await until(
      () => listening.output().out.includes('✔ 204'),
      () => `nothing was forwarded: ${listening.output().err}`,
    );
    listening.child.kill('SIGINT');
    const { code, out, err } = await listening.ended;
    assert.equal(code, 130);
    assert.match(err, new RegExp(`^Forwarding playlist\\.\\* to http://localhost:${port}/hooks until Ctrl-C\\.`));
    assert.match(out, new RegExp(`playlist\\.created {10}${playlist.id}\n {2}✔ 204 in \\d+ ms`));
    const [message] = await verified(secret);
    assert.deepEqual([message?.type, message?.data.subject], ['playlist.created', playlist.id]);
    assert.equal(message?.id, message?.data.id.slice(-36), 'as the platform identifies its messages');
    assert.equal((await person.run('webhook', 'listen')).code, 2, 'an address is needed');
    assert.equal((await person.run('webhook', 'listen', '8080', '-e', 'playlists.*')).code, 2);
  },
);
