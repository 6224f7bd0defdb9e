import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
});

const stranger = (name: string, env: Readonly<Record<string, string>> = {}) =>
  new CliUser(join(platform.folder, name), env);

test('login saves a valid key in a private file, whoami uses it, logout removes it', async () => {
  const someone = stranger('login');
  const result = await someone.start(['login', '--url', `${platform.url}/graphql`, '--json'], `${platform.key}\n`)
    .ended;
  assert.equal(result.code, 0, result.err);
  assert.equal(JSON.parse(result.out).user.username, platform.username);
  assert.ok(!result.out.includes(platform.key));
  assert.equal((await stat(someone.configFile)).mode & 0o777, 0o600);
  assert.deepEqual(JSON.parse(await readFile(someone.configFile, 'utf8')), { url: platform.url, key: platform.key });
  const me = await someone.json<{ user: { username: string }; keyFrom: string; permissions: string[] }>('whoami');
  assert.equal(me.user.username, platform.username);
  assert.equal(me.keyFrom, 'login');
  assert.ok(me.permissions.includes('content:publish'));
  assert.equal((await someone.run('logout')).code, 0);
  assert.equal((await someone.run('whoami')).code, 3);
});

test('an invalid key is not saved, and the error says how to fix it', async () => {
  const someone = stranger('wrong');
  const { code, err } = await someone.start(['login', '--url', platform.url], 'wrong-key').ended;
  assert.equal(code, 3);
  assert.match(err, /^error: .*UNAUTHENTICATED/m);
  assert.match(err, /^try: ./m);
  await assert.rejects(stat(someone.configFile));
});

test('the key of a login is not sent to another address', async () => {
  const someone = stranger('elsewhere');
  assert.equal((await someone.start(['login', '--url', platform.url], platform.key).ended).code, 0);
  platform.proxy.take();
  const other = platform.url.replace('127.0.0.1', 'localhost');
  const { code, err } = await someone.run('whoami', '--url', other);
  assert.equal(code, 3);
  assert.match(err, /^error: No API key for/);
  assert.deepEqual(platform.proxy.take(), []);
});

test('each kind of error has its exit code', async () => {
  assert.equal((await person.run('nothing')).code, 2);
  assert.equal((await person.run('content')).code, 2);
  assert.equal((await person.run('completion', 'tcsh')).code, 2);
  assert.equal((await person.run('content', 'show')).code, 2);
  assert.equal((await person.run('content', 'list', '--kind', 'SONG')).code, 2);
  assert.equal((await person.run('whoami', '--colour')).code, 2);
  assert.equal(
    (await person.run('content', 'show', 'did:reelgraph:content/feature/01980000-0000-7000-8000-000000000000')).code,
    4,
  );
  assert.equal((await person.run('content', 'show', 'nonsense')).code, 6);
  const refused = {
    kind: 'response',
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '600' },
  } as const;
  platform.proxy.next({
    ...refused,
    body: '{"errors":[{"message":"Too much.","extensions":{"code":"RATE_LIMIT_EXCEEDED"}}]}',
  });
  assert.equal((await person.run('whoami')).code, 5);
  const alone = stranger('alone', { REELGRAPH_URL: 'http://127.0.0.1:9', REELGRAPH_KEY: 'key' });
  assert.equal((await alone.run('whoami')).code, 7);
});

test('errors are one line of JSON with --json', async () => {
  const { code, out, err } = await person.run('content', 'show', 'nonsense', '--json');
  assert.equal(out, '');
  const { error } = JSON.parse(err);
  assert.equal(error.exitCode, code);
  assert.equal(error.code, 'INVALID_INPUT');
  assert.equal(error.field, 'id');
  assert.ok(error.suggestedFix.length > 0);
});

test('contents go from draft to the trash and back', THOROUGH, async () => {
  const text = 'mutation ($title: String!) { createContent(input: { title: $title }) { id } }';
  const created = await person.start(['query', '-', '--var', 'title=A calm morning'], text).ended;
  assert.equal(created.code, 0, created.err);
  const { id } = JSON.parse(created.out).data.createContent;
  type List = { totalCount: number; contents: { id: string; metadata: { title: string } }[] };
  const before = await person.json<List>('content', 'list');
  assert.deepEqual(
    before.contents.map(({ metadata }) => metadata.title),
    ['A calm morning'],
  );
  const shown = await person.run('content', 'show', id);
  assert.match(shown.out, /^title +A calm morning$/m);
  assert.ok(!shown.out.includes('\u001b'), 'no colours where there is no terminal');
  assert.equal((await person.run('content', 'delete', id)).out, `✔ deleted ${id}\n`);
  assert.equal((await person.json<List>('content', 'list')).totalCount, 0);
  assert.equal((await person.json<List>('content', 'list', '--trash')).contents[0]?.id, id);
  const { contents } = await person.json<{ contents: { status: string }[] }>('content', 'restore', id);
  assert.equal(contents[0]?.status, 'DRAFT');
  const refused = await person.run('content', 'publish', id);
  assert.equal(refused.code, 6);
  type Updated = { metadata: { title: string; keywords: string[]; visibility: string } };
  const changes = ['--title', 'A loud morning', '-k', 'city', '--visibility', 'unlisted', '--category', 'music'];
  const { metadata } = await person.json<Updated>('content', 'update', id, ...changes);
  assert.deepEqual([metadata.title, metadata.keywords, metadata.visibility], ['A loud morning', ['city'], 'UNLISTED']);
  assert.equal((await person.run('content', 'purge', id)).code, 2, 'not confirmed');
  assert.equal((await person.run('content', 'delete', id)).code, 0);
  assert.equal((await person.run('content', 'purge', id, '--yes')).out, `✔ purged ${id}\n`);
  assert.equal((await person.run('content', 'show', id)).code, 4);
});

test(
  'each of several contents succeeds or fails separately, and the exit code is that of the first failure',
  THOROUGH,
  async () => {
    const ids: string[] = [];
    for (const title of ['One', 'Two']) {
      const created = await person.start(
        ['query', '-'],
        `mutation { createContent(input: { title: "${title}" }) { id } }`,
      ).ended;
      ids.push(JSON.parse(created.out).data.createContent.id);
    }
    const [one = '', two = ''] = ids;
    const deleted = await person.run('content', 'delete', one, 'nonsense', two);
    assert.equal(deleted.code, 6);
    assert.equal(deleted.out, `✔ deleted ${one}\n✔ deleted ${two}\n`);
    assert.match(deleted.err, /^error: nonsense: .*INVALID_INPUT/);
    const restored = await person.run('content', 'restore', one, 'nonsense', two, '--json');
    assert.equal(restored.code, 6);
    const { contents } = JSON.parse(restored.out);
    assert.deepEqual(
      contents.map((each: { id: string; status: string; error: { field: string } | null }) => [
        each.id,
        each.status,
        each.error?.field,
      ]),
      [
        [one, 'DRAFT', undefined],
        ['nonsense', null, 'id'],
        [two, 'DRAFT', undefined],
      ],
    );
    assert.equal((await person.run('content', 'publish', one, two, '--release', 'soon')).code, 2);
  },
);

test('query selects an operation, prints errors beside data and exits with their code', THOROUGH, async () => {
  const text =
    'query One($n: Int) { channels(first: $n) { edges { node { __typename } } } } query Two ' +
    '{ content(id: "nonsense") { id } }';
  const one = await person.start(['query', '-', '--operation', 'One', '--var', 'n=1'], text).ended;
  assert.deepEqual(JSON.parse(one.out), { data: { channels: { edges: [{ node: { __typename: 'Channel' } }] } } });
  const two = await person.start(['query', '-', '--operation', 'Two'], text).ended;
  assert.equal(two.code, 6);
  assert.equal(JSON.parse(two.out).errors[0].code, 'INVALID_INPUT');
  const missing = await person.run('query', 'missing.graphql');
  assert.equal(missing.code, 2);
  assert.match(missing.err, /^error: missing\.graphql cannot be read: no such file\.$/m);
});

test('a query with a field named subscription is a query', THOROUGH, async () => {
  const text = '{\n  verifyConnection {\n    subscription { plan }\n  }\n}\n';
  const { code, out, err } = await person.start(['query', '-'], text).ended;
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(out), { data: { verifyConnection: { subscription: { plan: 'Creator+' } } } });
});

test(
  'query --raw prints the response as it was sent, and exits with the code of its first error',
  THOROUGH,
  async () => {
    const body =
      '{ "data": {"me": null},\n"errors": [{"message": "Later.", "extensions": {"code": "RATE_LIMIT_EXCEEDED"}}] }';
    const headers = { 'content-type': 'application/json', 'retry-after': '600' };
    platform.proxy.next({ kind: 'response', status: 429, headers, body });
    const refused = await person.run('query', '{ me { username } }', '--raw');
    assert.deepEqual([refused.code, refused.out], [5, body]);
    const { code, out } = await person.run('query', '{ me { username } }', '--raw');
    assert.equal(code, 0);
    const { data, extensions } = JSON.parse(out);
    assert.deepEqual(data, { me: { username: platform.username } });
    assert.equal(extensions.cost.requested, 1);
  },
);
