import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { symmetricEncrypt } from 'better-auth/crypto';
import { ManualClock } from '../../../platform/clock.ts';
import { type Secrets, secretsFrom } from '../../../platform/config/secret-key.ts';
import { checkSecretKey } from '../../../platform/db/facts.ts';
import { sql } from '../../../platform/db/statement.ts';
import { createTestDatabase } from '../../../platform/db/testing.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  HASH_COLUMNS,
} from '../../../platform/secret-columns/secret-columns.ts';
import { libraryCipher } from '../../accounts/index.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const old = secretsFrom(OLD);
const both = secretsFrom(NEW, [OLD]);
const current = secretsFrom(NEW);

/** Columns that are no secrets of SECRET_KEY, with the reason. */
const PLAIN: Readonly<Record<string, string>> = {
  'attempt_counters.subject': 'an HMAC; counters start at 0 when the key changes',
  'channel_invitations.token_hash': 'SHA-256 without a key',
  'share_links.token_hash': 'SHA-256 without a key',
  'share_links.password_hash': 'hashed by scrypt',
  'idempotency_keys.fingerprint': 'SHA-256 without a key',
  'instance_logo.png': 'a picture',
  'viewer_salts.salt': 'random, for one day',
  'waveforms.pairs': 'a drawing',
  'youtube_consents.state_hash': 'SHA-256 without a key',
  // Texts.
  'api_key_audit_log.token': 'a name',
  'credentials.access_token': 'of the sign-in library, for providers that are not offered',
  'credentials.refresh_token': 'of the sign-in library, for providers that are not offered',
  'credentials.id_token': 'of the sign-in library, for providers that are not offered',
  'credentials.password': 'hashed by scrypt',
  'oauth_clients.token_endpoint_auth_method': 'a name',
  'oidc_logout_tokens.token_id': 'a name of a token that was used',
  'pending_sign_ups.password_hash': 'hashed by scrypt',
  'sessions.token': 'random; cookies are signed',
};
const BYTES = /^ {2}(\w+) bytea\b/;
const SECRET_TEXT = /^ {2}(\w*(?:secret|token|password|backup|replay|seal|crypt)\w*) text\b/;

/** One row of each table, by the columns without a default; foreign keys are not checked. */
const ROWS: Readonly<Record<string, string>> = {
  api_keys:
    "(account_id, id, lookup_hash, sealed, hint) values (gen_random_uuid(), gen_random_uuid(), $1, $1, 'rg_…x')",
  live_inputs:
    '(id, channel_id, name, stream_key, stream_key_hash, srt_passphrase, srt, srt_port, created_at, updated_at) ' +
    "values (gen_random_uuid(), gen_random_uuid(), 'Studio', $1, $1, $1, true, 20000, now(), now())",
  simulcast_targets:
    '(id, input_id, name, url, stream_key, created_at, updated_at) values ' +
    "(gen_random_uuid(), gen_random_uuid(), 'Other', 'rtmp://live.example.com/app', $1, now(), now())",
  webhooks:
    '(id, channel_id, url, events, secret, previous_secret, previous_secret_until) values ' +
    "(gen_random_uuid(), gen_random_uuid(), 'https://example.com', '{content.published}', $1, $1, 'infinity')",
  youtube_connections:
    '(account_id, channel_id, channel_title, uploads_playlist_id, scopes, sealed_refresh_token, connected_at, ' +
    "updated_at) values (gen_random_uuid(), 'UC1', 'Ada', 'UU1', '{read}', $1, now(), now())",
  youtube_consents:
    "(state_hash, account_id, sealed_verifier, expires_at) values ('\\x01', gen_random_uuid(), $1, 'infinity')",
  youtube_publish_jobs:
    '(id, content_id, channel_id, account_id, youtube_channel_id, privacy_status, object_key, content_type, ' +
    'size_bytes, sealed_session_url, created_at, updated_at) values (gen_random_uuid(), gen_random_uuid(), ' +
    "gen_random_uuid(), gen_random_uuid(), 'UC1', 'PRIVATE', 'k', 'video/mp4', 1, $1, now(), now())",
  idempotency_keys:
    '(account_id, key, fingerprint, state, token, lease_until, response, created_at) values ' +
    "(gen_random_uuid(), 'k', decode(repeat('00', 32), 'hex'), 'COMPLETED', gen_random_uuid(), now(), $1, now())",
  oidc_sessions:
    '(session_id, account_id, issuer, subject, sealed_tokens, created_at, checked_at) values ' +
    "(gen_random_uuid(), gen_random_uuid(), 'https://sso.example.com/', 'ada', $1, now(), now())",
  two_factors:
    '(id, account_id, secret, backup_codes) values (gen_random_uuid(), gen_random_uuid(), $1::text, $1::text)',
  oauth_clients: "(id, client_id, client_secret, redirect_uris) values (gen_random_uuid(), 'c1', $1::text, '[]')",
  oauth_refresh_tokens:
    '(id, token, client_id, account_id, rotation_replay_response, expires_at, created_at, scopes) values ' +
    "(gen_random_uuid(), 't1', 'c1', gen_random_uuid(), $1::text, 'infinity', now(), '[]')",
};

describe('columns that depend on SECRET_KEY', () => {
  it('are all listed: none can be added without its rotation', () => {
    const schema = readFileSync(new URL('../../../../migrations/schema.sql', import.meta.url), 'utf8');
    const found: string[] = [];
    let table = '';
    for (const line of schema.split('\n')) {
      table = /^create table (\w+)/.exec(line)?.[1] ?? table;
      const column = (BYTES.exec(line) ?? SECRET_TEXT.exec(line))?.[1];
      if (column !== undefined) found.push(`${table}.${column}`);
    }
    const listed = [
      ...ENCRYPTED_COLUMNS.map(({ table: name, column }) => `${name}.${column}`),
      ...Object.values(HASH_COLUMNS).map(({ table: name, column }) => `${name}.${column}`),
      ...Object.keys(PLAIN),
    ];
    // The library's table; its codes are in a column with a general name.
    assert.deepEqual([...found, 'verifications.identifier'].sort(), listed.sort());
  });
});

describe('a change of SECRET_KEY', () => {
  let test: TestDatabase;
  const clock = new ManualClock(Date.parse('2026-11-30T12:00:00Z'));
  before(async () => {
    test = await createTestDatabase();
    await checkSecretKey(test.db, old);
    for (const [table, row] of Object.entries(ROWS))
      await test.db.transaction(async (tx) => {
        await tx.run(sql('test_no_foreign_keys', "set local session_replication_role = 'replica'"), []);
        await tx.run(sql(`test_insert_${table}`, `insert into ${table} ${row}`), [
          row.includes('$1::text') ? 'x' : Buffer.alloc(32),
        ]);
      });
    for (const column of ENCRYPTED_COLUMNS) await write(column, await sealWith(old, column, textOf(column)));
  });
  after(() => test.close());

  const textOf = ({ table, column }: EncryptedColumn) => `text of ${table}.${column}`;
  const nameOf = ({ table, column }: EncryptedColumn) => `${table}.${column}`;

  async function sealWith(secrets: Secrets, { cipher }: EncryptedColumn, text: string): Promise<Buffer | string> {
    return cipher === 'sign-in' ? (await libraryCipher(secrets, null)).seal(text) : secrets.seal(cipher, text);
  }
  async function write({ table, column }: EncryptedColumn, value: Buffer | string): Promise<void> {
    await test.db.run(sql(`test_write_${table}_${column}`, `update ${table} set ${column} = $1`), [value]);
  }
  async function stored({ table, column }: EncryptedColumn): Promise<Buffer | string> {
    const row = await test.db.first<{ value: Buffer | string }>(
      sql(`test_read_${table}_${column}`, `select ${column} as value from ${table}`),
      [],
    );
    return row?.value ?? assert.fail(`${table} has no row`);
  }
  async function read(secrets: Secrets, column: EncryptedColumn): Promise<string> {
    const value = await stored(column);
    if (column.cipher === 'sign-in') return (await libraryCipher(secrets, null)).open(String(value));
    return secrets.open(column.cipher, value as Buffer);
  }
  async function allTexts(secrets: Secrets): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const column of ENCRYPTED_COLUMNS)
      texts[nameOf(column)] = await read(secrets, column).catch(() => 'not readable');
    return texts;
  }
  const every = (text: (column: EncryptedColumn) => string) =>
    Object.fromEntries(ENCRYPTED_COLUMNS.map((column) => [nameOf(column), text(column)]));

  it('is refused without the former key, and changes nothing then', async () => {
    await assert.rejects(checkSecretKey(test.db, current), /the former one belongs in SECRET_KEY_PREVIOUS/);
    assert.deepEqual(
      await allTexts(current),
      every(() => 'not readable'),
    );
    await checkSecretKey(test.db, old);
  });

  it('leaves every encrypted column readable while the former key is accepted', async () => {
    await checkSecretKey(test.db, both);
    assert.deepEqual(await allTexts(both), every(textOf));
  });

  it('is refused by instances that do not know the new key', async () => {
    await assert.rejects(checkSecretKey(test.db, old), /SECRET_KEY was changed on another instance/);
  });

  it('is finished by re-encryption, after which every column is readable without the former key', async () => {
    const [first] = ENCRYPTED_COLUMNS;
    assert.ok(first);
    // As after an interruption: one value has the new key already.
    await write(first, await sealWith(both, first, textOf(first)));
    const { reencrypted, unreadable, otherKeys, mayRemovePrevious, left } = await rotateSecretKey({
      ...{ db: test.db, clock, secrets: both },
    });
    assert.deepEqual(reencrypted, Object.fromEntries(ENCRYPTED_COLUMNS.map((column) => [nameOf(column), 1])));
    assert.deepEqual([unreadable, otherKeys, left], [{}, [old.fingerprint], {}]);
    assert.equal(mayRemovePrevious, false, 'addresses that the former key signed are valid for a day');
    assert.deepEqual(await allTexts(current), every(textOf));
    assert.deepEqual(
      await allTexts(old),
      every(() => 'not readable'),
    );
    for (const column of ENCRYPTED_COLUMNS) {
      if (column.hash === undefined) continue;
      const { table, column: name, purpose } = HASH_COLUMNS[column.hash];
      const row = await test.db.first<{ hash: Buffer }>(
        sql(`test_hash_${table}`, `select ${name} as hash from ${table}`),
        [],
      );
      assert.deepEqual(row?.hash, current.mac(purpose, textOf(column)), table);
    }
    await checkSecretKey(test.db, current);
  });

  it('changes nothing when it is repeated, and says when the former key can be removed', async () => {
    const values = await Promise.all(ENCRYPTED_COLUMNS.map(stored));
    clock.advance(25 * 3_600_000);
    const { reencrypted, mayRemovePrevious, next } = await rotateSecretKey({ db: test.db, clock, secrets: both });
    assert.deepEqual(reencrypted, {});
    assert.deepEqual([mayRemovePrevious, next], [true, 'SECRET_KEY_PREVIOUS can be removed from all instances.']);
    assert.deepEqual(await Promise.all(ENCRYPTED_COLUMNS.map(stored)), values);
  });

  it('counts values that no key opens, and leaves them', async () => {
    const column = ENCRYPTED_COLUMNS.find(({ table }) => table === 'simulcast_targets');
    assert.ok(column);
    const foreign = secretsFrom(Buffer.alloc(32, 9)).seal('simulcast-key', 'lost');
    await write(column, foreign);
    const { unreadable, mayRemovePrevious } = await rotateSecretKey({ db: test.db, clock, secrets: both });
    assert.deepEqual([unreadable, mayRemovePrevious], [{ 'simulcast_targets.stream_key': 1 }, false]);
    assert.deepEqual(await stored(column), foreign);
  });
});

describe('texts of the sign-in library from before SECRET_KEY could change', () => {
  it('are read with the first key of the database, and get the name of their key', async () => {
    const legacy = await symmetricEncrypt({ key: old.derive('session'), data: 'JBSWY3DPEHPK3PXP' });
    const cipher = await libraryCipher(both, old.fingerprint);
    assert.equal(await cipher.open(legacy), 'JBSWY3DPEHPK3PXP');
    assert.equal(cipher.isCurrent(legacy), false);
    const renewed = await cipher.seal('JBSWY3DPEHPK3PXP');
    assert.equal(cipher.isCurrent(renewed), true);
    assert.equal(await (await libraryCipher(current, null)).open(renewed), 'JBSWY3DPEHPK3PXP');
  });
});
