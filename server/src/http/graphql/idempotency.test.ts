import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type TestCatalog } from '../../domains/catalog/testing.ts';
import { createHttpServer, type HttpServer } from '../server.ts';

const CREATE = 'mutation ($title: String!) { createContent(input: { title: $title }) { id } }';
const MANY = 'mutation ($ids: [DID!]!) { deleteContents(ids: $ids) { results { ok error { code } } } }';

describe('the header Idempotency-Key', () => {
  let api: TestCatalog;
  let server: HttpServer;
  let address: string;
  let anna: string;
  let bert: string;
  let keys = 0;
  before(async () => {
    api = await openTestCatalog();
    const { platform, domains } = api;
    server = createHttpServer({
      platform,
      version: 'test',
      routes: [],
      engine: domains.engine,
      credentials: domains.accounts,
    });
    address = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
    [anna, bert] = [(await api.person('anna')).key, (await api.person('bert')).key];
  });
  after(async () => {
    await server.close({ graceMs: 0 });
    await api.close();
  });

  const freshKey = (): string => {
    keys += 1;
    return `key-${keys}`;
  };
  async function send(apiKey: string, key: string | null, query: string, variables: Record<string, unknown> = {}) {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
      ...(key === null ? {} : { 'idempotency-key': key }),
    };
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    return {
      status: response.status,
      replayed: response.headers.get('idempotency-replayed'),
      retryAfter: response.headers.get('retry-after'),
      text,
      body: JSON.parse(text),
    };
  }
  const refusal = ({ status, body }: Awaited<ReturnType<typeof send>>) => [
    status,
    body.errors[0].extensions.code,
    body.errors[0].extensions.field,
  ];
  const countOf = async (title: string) =>
    (await api.row<{ n: number }>('select count(*)::int as n from contents where title = $1', [title])).n;
  /** The claim of a dead process: its lease has expired. */
  const die = (key: string, change: string) =>
    api.rows(
      `update idempotency_keys set state = 'RUNNING', response = null, lease_until = '2020-01-01', ${change} ` +
        'where key = $1',
      [key],
    );

  it('stores responses encrypted, because they may contain secrets', async () => {
    const key = freshKey();
    await send(anna, key, CREATE, { title: 'Sealed' });
    const { response } = await api.row<{ response: Buffer }>('select response from idempotency_keys where key = $1', [
      key,
    ]);
    assert.ok(response.length > 100);
    assert.ok(!response.toString('latin1').includes('createContent'));
  });

  it('returns the first response to a repeated request without executing it again', async () => {
    const key = freshKey();
    const first = await send(anna, key, CREATE, { title: 'Once' });
    const again = await send(anna, key, CREATE, { title: 'Once' });
    assert.deepEqual([first.status, first.replayed, first.body.errors], [200, null, undefined]);
    assert.deepEqual([again.status, again.replayed, again.text], [200, 'true', first.text]);
    assert.equal(await countOf('Once'), 1);
  });

  it('is scoped to an account', async () => {
    const key = freshKey();
    const [first, other] = [
      await send(anna, key, CREATE, { title: 'Both' }),
      await send(bert, key, CREATE, { title: 'Both' }),
    ];
    assert.notEqual(first.body.data.createContent.id, other.body.data.createContent.id);
    assert.equal(await countOf('Both'), 2);
  });

  it('refuses another request under the same key', async () => {
    const key = freshKey();
    await send(anna, key, CREATE, { title: 'First' });
    assert.deepEqual(refusal(await send(anna, key, CREATE, { title: 'Second' })), [
      422,
      'INVALID_INPUT',
      'Idempotency-Key',
    ]);
    assert.equal(await countOf('Second'), 0);
  });

  it('stores permanent failures, in commands and in statements', async () => {
    const key = freshKey();
    const first = await send(anna, key, CREATE, { title: '' });
    assert.equal(first.body.errors[0].extensions.code, 'FIELD_REQUIRED');
    assert.equal((await send(anna, key, CREATE, { title: '' })).replayed, 'true');
    const many = freshKey();
    assert.deepEqual((await send(anna, many, MANY, { ids: ['nonsense'] })).body.data.deleteContents.results[0].error, {
      code: 'INVALID_INPUT',
    });
    assert.equal((await send(anna, many, MANY, { ids: ['nonsense'] })).replayed, 'true');
  });

  it('executes ten concurrent requests once', async () => {
    const key = freshKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(anna, key, CREATE, { title: 'Ten' })));
    assert.equal(await countOf('Ten'), 1);
    const ids = new Set(responses.map(({ body }) => body.data?.createContent.id));
    assert.equal(ids.size, 1);
    assert.equal(responses.filter(({ replayed }) => replayed === 'true').length, 9);
  });

  it('asks to retry while the first request is running', async () => {
    const key = freshKey();
    await send(anna, key, CREATE, { title: 'Slow' });
    await api.rows(
      `update idempotency_keys set state = 'RUNNING', response = null, lease_until = 'infinity' where key = $1`,
      [key],
    );
    const waiting = await send(anna, key, CREATE, { title: 'Slow' });
    assert.deepEqual(refusal(waiting), [503, 'SERVICE_UNAVAILABLE', 'Idempotency-Key']);
    assert.equal(waiting.retryAfter, '1');
    assert.equal(await countOf('Slow'), 1);
  });

  it('executes again what a dead process had not committed, and never what it had', async () => {
    const [undone, done] = [freshKey(), freshKey()];
    await send(anna, undone, CREATE, { title: 'Undone' });
    await api.rows(`delete from contents where title = 'Undone'`);
    await die(undone, 'committed = false');
    assert.equal((await send(anna, undone, CREATE, { title: 'Undone' })).replayed, null);
    assert.equal(await countOf('Undone'), 1);
    await send(anna, done, CREATE, { title: 'Done' });
    await die(done, 'committed = true');
    assert.deepEqual(refusal(await send(anna, done, CREATE, { title: 'Done' })), [
      409,
      'RESOURCE_ALREADY_EXISTS',
      'Idempotency-Key',
    ]);
    assert.equal(await countOf('Done'), 1);
  });

  it('marks the claim in the transaction of statements and of commands', async () => {
    const [statement, command] = [freshKey(), freshKey()];
    const { body } = await send(anna, statement, CREATE, { title: 'Marked' });
    await send(anna, command, MANY, { ids: [body.data.createContent.id] });
    const rows = await api.rows<{ committed: boolean }>('select committed from idempotency_keys where key = any($1)', [
      [statement, command],
    ]);
    assert.deepEqual(rows, [{ committed: true }, { committed: true }]);
  });

  it('expires after 24 hours', async () => {
    const key = freshKey();
    await send(anna, key, CREATE, { title: 'Daily' });
    api.clock.advance(24 * 3_600_000 + 1);
    assert.equal((await send(anna, key, CREATE, { title: 'Daily' })).replayed, null);
    assert.equal(await countOf('Daily'), 2);
    api.clock.advance(24 * 3_600_000 + 1);
    await api.domains.idempotency.sweep();
    assert.deepEqual(await api.rows('select key from idempotency_keys'), []);
  });

  it('must have 1 to 200 visible characters, and is ignored for queries', async () => {
    for (const key of ['a b', 'x'.repeat(201), 'é'])
      assert.deepEqual(refusal(await send(anna, key, CREATE, { title: 'Bad' })), [
        400,
        'INVALID_INPUT',
        'Idempotency-Key',
      ]);
    assert.equal(await countOf('Bad'), 0);
    const query = await send(anna, 'a b', '{ verifyConnection { authenticated } }');
    assert.deepEqual([query.status, query.replayed], [200, null]);
  });
});
