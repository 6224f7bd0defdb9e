import { randomBytes, randomUUID } from 'node:crypto';
import { ensureTestChannel } from '../domains/accounts/tokens/tokens.store.ts';
import { type Person, type TestCatalog, uuidOf } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { type AccountId, newId } from '../kernel/ids.ts';
import { type ChannelRole, type Permission, TEST_TOKEN_PERMISSIONS, TOKEN_PERMISSIONS } from '../kernel/permissions.ts';
import { addChannel } from './seed-catalog.ts';

/**
 * The personas, in the order of the columns of docs/access.md. All but the operator and the strangers are members of
 * the example channel: `signed_out` is its owner with an expired session, `lapsed` a manager with a key on an expired
 * plan, `free` one on such a plan with a session, `application` one with an access token on the lowest plan with
 * developer access. `operator` is an operator of the server with a session, on an expired plan. `stranger_private` is a
 * non-member to whom the target is private. The last three are scoped tokens of the owner with all permissions that
 * tokens can have: `channel_token` for another channel, `test_token` in test mode, `token_without` for all channels,
 * but without the permission of the operation.
 */
export const PERSONAS = [
  'anonymous',
  'signed_out',
  'lapsed',
  'free',
  'application',
  'operator',
  'stranger',
  'stranger_private',
  'blocked',
  'viewer',
  'editor',
  'manager',
  'owner',
  'channel_token',
  'test_token',
  'token_without',
] as const;
export type Persona = (typeof PERSONAS)[number];

const DAY_MS = 24 * 3_600_000;

/** Creates all personas, with the roles of their names in the owner's channel. Null is anonymous. */
export async function inviteEverybody(catalog: TestCatalog, owner: Person): Promise<Record<Persona, Person | null>> {
  const member = async (name: Persona, role: ChannelRole): Promise<Person> => {
    const person = await catalog.person(`the_${name}`);
    await catalog.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      owner.channelId,
      person.accountId,
      role,
    ]);
    return person;
  };
  const lapsed = await member('lapsed', 'MANAGER');
  await lapse(catalog, lapsed);
  const blocked = await catalog.person('the_blocked');
  await catalog.rows('insert into channel_blocks (id, channel_id, account_id, created_at) values ($1, $2, $3, now())', [
    newId(),
    owner.channelId,
    blocked.accountId,
  ]);
  return {
    anonymous: null,
    signed_out: await inBrowser(catalog, owner, -1),
    lapsed,
    free: await inBrowser(catalog, await member('free', 'MANAGER'), DAY_MS),
    application: await inApplication(catalog, await member('application', 'MANAGER')),
    operator: await makeOperator(catalog),
    stranger: await catalog.person('the_stranger'),
    stranger_private: await catalog.person('the_other_stranger'),
    blocked,
    viewer: await member('viewer', 'VIEWER'),
    editor: await member('editor', 'EDITOR'),
    manager: await member('manager', 'MANAGER'),
    owner,
    channel_token: await withToken(catalog, owner, TOKEN_PERMISSIONS, uuidOf(await addChannel(catalog, owner))),
    test_token: await withTestToken(catalog, owner, TEST_TOKEN_PERMISSIONS),
    token_without: await withToken(catalog, owner, TOKEN_PERMISSIONS, null),
  };
}

/** The owner with a token of these permissions; at the channel that it is limited to, if it is. */
export async function withToken(
  catalog: TestCatalog,
  owner: Person,
  permissions: readonly Permission[],
  channelId: string | null,
): Promise<Person> {
  const channels = channelId === null ? null : [channelId];
  const { credential } = await addToken(catalog, owner.accountId, permissions, channels);
  return { ...atChannel(catalog, owner, channelId ?? owner.channelId), credential };
}

/** The owner with a token in test mode, at the test channel. */
export async function withTestToken(
  catalog: TestCatalog,
  owner: Person,
  permissions: readonly Permission[],
): Promise<Person> {
  const person = await atTestChannel(catalog, owner);
  const { credential } = await addToken(catalog, owner.accountId, permissions, [person.channelId], true);
  return { ...person, credential };
}

/** The account with its test channel. */
export async function atTestChannel(catalog: TestCatalog, person: Person): Promise<Person> {
  const { platform, clock } = catalog;
  return atChannel(catalog, person, await ensureTestChannel(platform.db, person.accountId as AccountId, clock.now()));
}

function atChannel({ platform }: TestCatalog, person: Person, channelId: string): Person {
  return { ...person, channelId, channel: formatDid(platform.config.DID_NAMESPACE, 'channel', channelId) };
}

async function makeOperator(catalog: TestCatalog): Promise<Person> {
  const person = await catalog.person('the_operator');
  await lapse(catalog, person);
  await catalog.rows('update accounts set is_operator = true where id = $1', [person.accountId]);
  return inBrowser(catalog, person, DAY_MS);
}

/** Ends the account's plan, as if there had been no trial. */
export async function lapse({ rows }: TestCatalog, { accountId }: Person): Promise<void> {
  await rows(
    `update subscriptions set state = 'EXPIRED', access_until = '-infinity', trial_started_at = null, ` +
      'trial_ends_at = null where account_id = $1',
    [accountId],
  );
}

/** The account with a session that ends after this many milliseconds, instead of the key. */
export async function inBrowser({ clock, rows }: TestCatalog, person: Person, endsInMs: number): Promise<Person> {
  const token = randomUUID();
  await rows('insert into sessions (id, account_id, token, expires_at) values ($1, $2, $3, $4)', [
    newId(),
    person.accountId,
    token,
    new Date(clock.now() + endsInMs).toISOString(),
  ]);
  return { ...person, credential: { kind: 'session', token } };
}

/** The account on the lowest plan for developers, with an application's access token instead of the key. */
async function inApplication({ clock, rows }: TestCatalog, person: Person): Promise<Person> {
  const [clientId, token] = [randomUUID(), randomUUID()];
  const [now, later] = [0, DAY_MS].map((ms) => new Date(clock.now() + ms).toISOString());
  await rows(`update subscriptions set plan = 'PREMIUM_PLUS' where account_id = $1`, [person.accountId]);
  await rows(
    `insert into oauth_clients (id, client_id, name, redirect_uris) values ($1, $2, 'Example application', '[]')`,
    [newId(), clientId],
  );
  await rows(
    'insert into oauth_consents (id, client_id, account_id, scopes, created_at, updated_at) values ($1, $2, $3, ' +
      `'["mcp:tools"]', $4, $4)`,
    [newId(), clientId, person.accountId, now],
  );
  await rows(
    'insert into oauth_access_tokens (id, token, client_id, account_id, expires_at, created_at, scopes) ' +
      `values ($1, $2, $3, $4, $5, $6, '["mcp:tools"]')`,
    [newId(), token, clientId, person.accountId, later, now],
  );
  return { ...person, credential: { kind: 'oauth', tokenHash: token } };
}

/** A scoped token of the account with exactly these permissions, as createToken stores it. */
export async function addToken(
  { clock, rows }: TestCatalog,
  accountId: string,
  permissions: readonly Permission[],
  channelIds: readonly string[] | null = null,
  isTest = false,
): Promise<{ readonly id: string; readonly credential: Person['credential'] }> {
  const id = newId();
  const lookupHash = randomBytes(32);
  await rows(
    'insert into api_tokens (id, account_id, name, lookup_hash, hint, permissions, channel_ids, is_test, created_at) ' +
      `values ($1, $2, $3, $4, 'rgt_0000…0000', $5, $6, $7, $8)`,
    [id, accountId, `Token ${id}`, lookupHash, permissions, channelIds, isTest, new Date(clock.now()).toISOString()],
  );
  return { id, credential: { kind: 'token', lookupHash } };
}

/** A new account without memberships. */
export async function addAccount({
  rows,
}: TestCatalog): Promise<{ readonly accountId: string; readonly username: string }> {
  const accountId = newId();
  const username = `guest-${accountId.slice(-12)}`;
  await rows(`insert into accounts (id, email, name, username) values ($1, $2, 'Guest', $3)`, [
    accountId,
    `${username}@example.com`,
    username,
  ]);
  return { accountId, username };
}
