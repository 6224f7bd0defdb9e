import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { type MailServer, ORIGIN, openMailServer } from './testing.ts';

let server: MailServer;
before(async () => {
  server = await openMailServer();
});
after(() => server.close());

const STATE = sql(
  'test_rest_state',
  `select (select count(*)::int from accounts) as accounts, (select count(*)::int from sessions) as sessions,
     (select count(*)::int from oauth_clients) as clients, (select count(*)::int from password_resets) as resets`,
);

const BODIES: readonly (readonly [what: string, type: string, body: string])[] = [
  ['a NUL', 'application/json', '{"email":"a\\u0000b@example.com","password":"correct horse","token":"x"}'],
  ['a NUL in a list', 'application/json', '{"redirect_uris":["https://a.example/\\u0000"],"email":"a@example.com"}'],
  ['a NUL in a name', 'application/json', '{"em\\u0000ail":"a@example.com"}'],
  ['half of a surrogate pair', 'application/json', '{"email":"\\ud83d@example.com","token":"\\udc00"}'],
  ['a NUL in a form', 'application/x-www-form-urlencoded', 'grant_type=refresh_token&refresh_token=a%00b&client_id=a'],
];

test('no route fails for a text that cannot be stored, or changes anything', async () => {
  assert.ok(server.posts.length > 15, `only ${server.posts.join(', ')}`);
  const before = await server.platform.db.run(STATE, []);
  let calls = 0;
  for (const path of server.posts) {
    for (const [what, type, body] of BODIES) {
      calls += 1;
      const headers = { 'content-type': type, origin: ORIGIN, 'x-test-address': `10.1.${calls >> 8}.${calls & 255}` };
      const response = await fetch(`${server.address}${path}`, { method: 'POST', headers, body });
      const text = await response.text();
      const said = `${path}, ${what}: ${response.status} ${text}`;
      assert.ok(response.status < 500, said);
      // The endpoints of programs read forms; other routes without a body ignore one, or refuse the caller before.
      const isProgram = /\/(token|revoke|register|introspect)$/.test(path);
      if (!isProgram && type === 'application/json' && response.status === 400)
        assert.match(text, /NUL character/, said);
    }
  }
  assert.deepEqual(await server.platform.db.run(STATE, []), before);
});
