import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestAccount } from '../testing.ts';
import { openSignOnWorld, type SignOnWorld } from './testing.ts';

describe('linking a provider', () => {
  let world: SignOnWorld;
  before(async () => {
    world = await openSignOnWorld();
    for (const subject of ['a-1', 'b-1'])
      world.provider.people.set(subject, { email: `${subject}@elsewhere.example`, email_verified: false });
    await createTestAccount(world.platform, 'ann', 'FREE');
    await createTestAccount(world.platform, 'ben', 'FREE');
  });
  after(() => world.close());

  const password = 'correct horse';
  const withPassword = async (username: string) =>
    (await world.post('sign-in/email', { email: `${username}@example.com`, password })).cookie;
  async function link(subject: string, cookie: string, finishing = cookie) {
    const begun = await world.post('oidc/link', { provider: 'sso', password }, cookie);
    const query = await world.provider.signIn(begun.body.url, subject);
    return world.post('oidc/finish', { provider: 'sso', query }, `${finishing}; ${begun.cookie}`);
  }
  async function unchanged(act: () => Promise<{ error: { code: string } | undefined }>) {
    const rows = await world.rows();
    const { error } = await act();
    assert.deepEqual(await world.rows(), rows);
    return error?.code;
  }

  it('needs the password, and lets the account sign in with it', async () => {
    const cookie = await withPassword('ann');
    for (const wrong of [{}, { password: 'wrong horse' }])
      assert.match(
        String(await unchanged(() => world.post('oidc/link', { provider: 'sso', ...wrong }, cookie))),
        /^(?:FIELD_REQUIRED|INVALID_INPUT)$/,
      );
    assert.equal(await unchanged(() => world.post('oidc/link', { provider: 'sso', password })), 'UNAUTHENTICATED');
    assert.deepEqual((await link('a-1', cookie)).body, { status: 'LINKED' });
    const [identity] = (await world.get('oidc/identities', cookie)).body;
    assert.deepEqual([identity.provider, identity.issuer], ['sso', `${world.provider.issuer}/`]);
    const signedIn = await world.signIn('a-1');
    assert.equal((await world.get('get-session', signedIn.cookie)).body.user.username, 'ann');
  });

  it('is refused for an identity of another account, and in the session of another', async () => {
    const [ann, ben] = [await withPassword('ann'), await withPassword('ben')];
    assert.equal(await unchanged(() => link('a-1', ben)), 'RESOURCE_ALREADY_EXISTS');
    assert.equal(await unchanged(() => link('b-1', ben, ann)), 'INVALID_INPUT');
    assert.equal(await unchanged(() => link('b-1', ben, '')), 'UNAUTHENTICATED');
  });

  it('ends with the password of the account', async () => {
    const [ann, ben] = [await withPassword('ann'), await withPassword('ben')];
    const { id } = (await world.get('oidc/identities', ann)).body[0];
    assert.equal(await unchanged(() => world.post('oidc/unlink', { id, password: 'wrong' }, ann)), 'INVALID_INPUT');
    assert.equal(await unchanged(() => world.post('oidc/unlink', { id, password }, ben)), 'RESOURCE_NOT_FOUND');
    assert.equal(await unchanged(() => world.post('oidc/unlink', { id: 'x', password }, ann)), 'RESOURCE_NOT_FOUND');
    assert.equal((await world.post('oidc/unlink', { id, password }, ann)).status, 200);
    assert.deepEqual((await world.get('oidc/identities', ann)).body, []);
    assert.equal(await unchanged(() => world.signIn('a-1')), 'UNAUTHORIZED');
  });
});
