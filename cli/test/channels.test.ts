import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { createClient } from '../../clients/typescript/src/index.ts';
import { sharedTestPlatform } from '../../clients/typescript/test/platform.fixture.ts';
import { THOROUGH } from '../../scripts/test-runner/cases.ts';
import { CliUser } from './run-cli.fixture.ts';

const platform = sharedTestPlatform();
let person: CliUser;
let other = '';
let otherKey = '';
before(async () => {
  person = new CliUser(join(platform.folder, 'someone'), { REELGRAPH_URL: platform.url, REELGRAPH_KEY: platform.key });
  ({ username: other, key: otherKey } = await platform.account());
});

test('a channel is created, changed, given members, and deleted once that is confirmed', THOROUGH, async () => {
  const handle = `studio-${randomBytes(4).toString('hex')}`;
  const created = await person.run('channel', 'create', `@${handle}`, '--name', 'Studio Two');
  assert.match(created.out, new RegExp(`^✔ created @${handle}: did:reelgraph:channel/`));
  const changes = ['--title', 'Films about bread', '--keyword', 'bread', '--keyword', 'baking', '--encode-av1', 'on'];
  assert.equal((await person.run('channel', 'update', handle, ...changes)).code, 0);
  assert.equal((await person.run('channel', 'update', handle)).code, 2, 'nothing to change');
  type Shown = {
    readonly encodeAv1: boolean;
    readonly metadata: { readonly title: string; readonly keywords: string[] };
  };
  const shown = await person.json<Shown>('channel', 'show', handle);
  assert.deepEqual(
    [shown.encodeAv1, shown.metadata.title, shown.metadata.keywords],
    [true, 'Films about bread', ['bread', 'baking']],
  );
  type Invited = { readonly id: string; readonly role: string };
  const invited = await person.json<Invited>('channel', 'invite', `@${other}`, '-c', handle, '--role', 'viewer');
  assert.equal(invited.role, 'VIEWER');
  const byMail = await person.run('channel', 'invite', 'someone@example.com', '-c', handle);
  assert.match(byMail.out, /^✔ invited someone@example\.com as EDITOR, until /);
  await createClient({ url: platform.url, key: otherKey }).acceptChannelInvitation({ id: invited.id });
  assert.equal((await person.run('channel', 'set-role', other, 'manager', '-c', handle)).code, 0);
  assert.match(
    (await person.run('channel', 'members', handle)).out,
    new RegExp(`^@${other} +MANAGER +since .*\n@${platform.username} +OWNER +since `),
  );
  assert.equal((await person.run('channel', 'remove-member', other, '-c', handle)).code, 0);
  assert.equal((await person.run('channel', 'remove-member', other, '-c', handle)).code, 4);
  assert.match(
    (await person.run('channel', 'list')).out,
    new RegExp(`@${handle} +OWNER +0 followers {2}Films about bread`),
  );
  const made = await person.run('token', 'create', '--name', 'Tests', '--test', '--permissions', 'content:create');
  assert.equal(made.code, 0, made.err);
  assert.match((await person.run('channel', 'list')).out, /^did:\S+ +@\S+ +OWNER +0 followers .+ \(test channel\)$/m);
  const asked = await person.run('channel', 'delete', handle);
  assert.equal(asked.code, 2);
  assert.match(asked.err, /Add --yes to confirm/);
  assert.equal((await person.run('channel', 'delete', handle, '--yes')).code, 0);
  assert.equal((await person.run('channel', 'show', handle)).code, 4);
});

test('channels are followed and unfollowed; one that does not exist does not stop the others', THOROUGH, async () => {
  const followed = await person.run('channel', 'follow', '@nobody-has-this-name', `@${other}`);
  assert.deepEqual([followed.code, followed.out], [4, `✔ following @${other}\n`]);
  type List = { readonly channels: readonly { readonly handle: string }[] };
  const { channels } = await person.json<List>('channel', 'list', '--followed');
  assert.deepEqual(
    channels.map(({ handle }) => handle),
    [other],
  );
  assert.equal((await person.run('channel', 'unfollow', other)).code, 0);
});

test('search finds by words, types and filters, and names categories', async () => {
  const word = `zebra${randomBytes(3).toString('hex')}`;
  const serie = await person.json<{ id: string }>('series', 'create', `Stripes of the ${word}`);
  assert.equal((await person.run('content', 'publish', serie.id)).code, 0);
  type Found = {
    readonly totalCount: number;
    readonly results: readonly {
      readonly content: { readonly id: string };
      readonly highlights: { readonly title: unknown };
    }[];
  };
  const found = await person.json<Found>('search', 'stripes', word, '--type', 'content', '--kind', 'series');
  assert.equal(found.totalCount, 1);
  assert.equal(found.results[0]?.content.id, serie.id);
  assert.deepEqual(found.results[0]?.highlights.title, [
    { text: 'Stripes', matched: true },
    { text: ' of the ', matched: false },
    { text: word, matched: true },
  ]);
  const none = await person.run('search', word, '--category', 'music', '--after', '2026-01-01');
  assert.deepEqual([none.code, none.out, none.err], [0, '', 'Nothing was found.\n']);
  const unknown = await person.run('search', word, '--genre', 'dramma');
  assert.equal(unknown.code, 2);
  assert.equal(unknown.err, 'error: There is no genre dramma.\ntry: Did you mean Drama?\n');
});
