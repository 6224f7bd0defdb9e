import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Credential } from '../../../gql/index.ts';
import { createHttpServer, type HttpServer } from '../../../http/server.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { settleLog } from '../testing.ts';

/** Two instances of the API on one database, with the accounts anna, bert and carl. */
export interface TestInstances {
  readonly api: TestCatalog;
  readonly servers: readonly HttpServer[];
  readonly addresses: readonly string[];
  person(name: string): Person;
  /** Writes an event of anna's channel, or of another. */
  write(type: string, did: string, channelId?: string): Promise<unknown>;
  /** Gives the account another key, or its own again. */
  replaceKey(name: string): Promise<void>;
  restoreKey(name: string): Promise<void>;
}

interface Opened {
  readonly api: TestCatalog;
  readonly people: Readonly<Record<string, Person>>;
  readonly servers: readonly HttpServer[];
  readonly addresses: readonly string[];
}

const LIMITS = { perAccount: 210, total: 1_000, heartbeatMs: 100, slowMs: 300 };

/** Opens them before the tests of the suite. Bert is a member of anna's channel; the key of an account is its name. */
export function twoInstances(): TestInstances {
  let opened: Opened | undefined;
  before(async () => {
    opened = await open();
  });
  after(async () => {
    await Promise.all(opened?.servers.map((server) => server.close({ graceMs: 1_000 })) ?? []);
    await opened?.api.close();
  });
  const current = (): Opened => opened ?? assert.fail('the instances open before the first test');
  const person = (name: string): Person => current().people[name] ?? assert.fail(`there is no ${name}`);
  const setKey = (name: string, hash: Buffer) =>
    current().api.rows('update api_keys set lookup_hash = $2 where account_id = $1', [person(name).accountId, hash]);
  return {
    get api() {
      return current().api;
    },
    get servers() {
      return current().servers;
    },
    get addresses() {
      return current().addresses;
    },
    person,
    write: (type, did, channelId = person('anna').channelId) =>
      current().api.rows('insert into events (type, channel_id, subject_id) values ($1, $2, $3)', [
        type,
        channelId,
        uuidOf(did),
      ]),
    replaceKey: async (name) => void (await setKey(name, Buffer.alloc(32, 1))),
    async restoreKey(name) {
      const { credential } = person(name);
      assert.ok(credential.kind === 'key');
      await setKey(name, credential.lookupHash);
    },
  };
}

async function open(): Promise<Opened> {
  const api = await openTestCatalog({ env: { RATE_LIMIT_POINTS: '1000000' } });
  const [anna, bert, carl] = [await api.person('anna'), await api.person('bert'), await api.person('carl')];
  const people: Record<string, Person> = { anna, bert, carl };
  await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
    anna.channelId,
    bert.accountId,
    'VIEWER',
  ]);
  await settleLog(api);
  const credentials = {
    findCredential: (key: string): Credential => people[key]?.credential ?? assert.fail(`there is no ${key}`),
    sessionTokenFrom: () => null,
    forgottenSessionCookie: '',
  };
  const servers = [1, 2].map(() =>
    createHttpServer({
      platform: api.platform,
      version: 'test',
      routes: [],
      engine: api.domains.engine,
      credentials,
      streams: LIMITS,
    }),
  );
  const ports = await Promise.all(servers.map((server) => server.listen(0, '127.0.0.1')));
  return { api, people, servers, addresses: ports.map((port) => `http://127.0.0.1:${port}`) };
}
