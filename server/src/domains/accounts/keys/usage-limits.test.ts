import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CursorCodec } from '../../../gql/index.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { noteProcessingMinutes } from '../index.ts';

const DELETE = 'mutation ($id: DID!) { deleteContent(id: $id) { id } }';
const DELETE_MANY = 'mutation ($ids: [DID!]!) { deleteContents(ids: $ids) { results { ok } } }';
const PUBLISH = 'mutation ($id: DID!) { publishContent(id: $id) { id } }';
const SUBMIT = 'mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }';
const SET =
  'mutation ($input: SetKeyBudgetsInput!) { setKeyBudgets(input: $input) ' +
  '{ budgets { deletesPerDay publishesPerHour processingMinutesPerDay } } }';
const BUDGETS =
  '{ developerSettings { budgets { deletesPerDay deletesSpent publishesSpent processingMinutesSpent } } }';
const ACTIVITY =
  'query ($first: Int) { developerSettings { activity(first: $first) { totalCount edges { node ' +
  '{ id at via agent operation subject outcome } } } } }';
const HOUR_MS = 3_600_000;

let api: TestCatalog;
before(async () => {
  api = await openTestCatalog();
});
after(() => api?.close());

/** A new account: with a key, and with a session. */
async function someone(name: string): Promise<{ key: Person; owner: Person }> {
  const key = await api.person(name);
  return { key, owner: await api.signedIn(key) };
}

const limit = (owner: Person, input: Record<string, number | null>) => api.ok(owner, SET, { input });
/** Deletions, publications, minutes; and whether the key counts as limited. */
async function storedLimits({ accountId }: Person): Promise<unknown[]> {
  const { limits } = await api.row<{ limits: unknown[] }>(
    `select json_build_array(l.deletes_per_day, l.publishes_per_hour, l.processing_minutes_per_day, s.key_limited)
       as limits
     from api_key_usage_limits l join subscriptions s using (account_id) where l.account_id = $1`,
    [accountId],
  );
  return limits;
}
const budgetsOf = async (owner: Person) => (await api.ok(owner, BUDGETS)).developerSettings.budgets;
const activityOf = async (owner: Person) => {
  await api.domains.accounts.writeKeyUses();
  const { edges } = (await api.ok(owner, ACTIVITY, { first: 100 })).developerSettings.activity;
  return (edges as { node: Record<string, string> }[]).map(({ node }) => node);
};

describe('usage limits of a key', () => {
  it('refuse the key once they are used up, and not the owner', async () => {
    const { key, owner } = await someone('dora');
    await limit(owner, { deletesPerDay: 2 });
    for (let n = 0; n < 2; n += 1) await api.ok(key, DELETE, { id: await api.content(key) });
    const id = await api.content(key);
    const refused = await api.refused(key, DELETE, { id });
    assert.equal(refused.code, 'RATE_LIMIT_EXCEEDED');
    assert.match(refused.message, /limit of 2 deletions in 24 hours has 0 left/);
    assert.equal(
      (await api.run(owner, 'query ($id: DID!) { content(id: $id) { id } }', { id })).errors.length,
      0,
      'nothing was deleted',
    );
    await api.ok(owner, DELETE, { id });
  });

  it('are not written when none are set', async () => {
    const { owner } = await someone('cleo');
    const none = { deletesPerDay: null, publishesPerHour: null, processingMinutesPerDay: null };
    for (const input of [{}, { deletesPerDay: null }])
      assert.deepEqual(await tablesChanged(api.platform.db, () => limit(owner, input)), []);
    assert.deepEqual([(await limit(owner, {})).setKeyBudgets.budgets, await budgetsOf(owner)], [none, null]);
    assert.equal((await api.refused(owner, SET, { input: { ifRevision: 1 } })).code, 'CONFLICT');
    await limit(owner, { ifRevision: 0, deletesPerDay: 0 });
    assert.deepEqual(await tablesChanged(api.platform.db, () => limit(owner, {})), []);
    assert.deepEqual(await storedLimits(owner), [0, null, null, true]);
  });

  it('reset over time', async () => {
    const { key, owner } = await someone('ella');
    await limit(owner, { publishesPerHour: 1 });
    await api.ok(key, PUBLISH, { id: await api.content(key) });
    const id = await api.content(key);
    assert.equal((await api.refused(key, PUBLISH, { id })).code, 'RATE_LIMIT_EXCEEDED');
    api.clock.advance(HOUR_MS + 1);
    await api.ok(key, PUBLISH, { id });
  });

  it('count each object of a bulk mutation, all or none', async () => {
    const { key, owner } = await someone('fred');
    await limit(owner, { deletesPerDay: 3 });
    const ids = await Promise.all(Array.from({ length: 4 }, () => api.content(key)));
    assert.match((await api.refused(key, DELETE_MANY, { ids })).message, /has 3 left; this call needs 4/);
    await api.ok(key, DELETE_MANY, { ids: ids.slice(0, 3) });
    assert.equal((await budgetsOf(owner)).deletesSpent, 3);
  });

  it('are not charged for failures', async () => {
    const { key, owner } = await someone('gina');
    const { key: other } = await someone('hugo');
    await limit(owner, { deletesPerDay: 1 });
    assert.equal((await api.refused(key, DELETE, { id: await api.content(other) })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await budgetsOf(owner)).deletesSpent, 0);
    await api.ok(key, DELETE, { id: await api.content(key) });
  });

  it('stay charged when the change was made and only the response failed', async () => {
    const { key, owner } = await someone('greg');
    await limit(owner, { publishesPerHour: 2 });
    const upload = `mutation ($after: String) {
      publishVideo(input: { title: "A video", filename: "a.mp4", size: 9 }) { content { related(after: $after) { edges
        { cursor } } } } }`;
    for (const after of ['nonsense', new CursorCodec('Content.related', 2).encode(['never', 'x'])])
      assert.equal((await api.refused(key, upload, { after })).code, 'INVALID_INPUT');
    assert.equal(
      (await api.row<{ n: number }>('select count(*)::int as n from contents where channel_id = $1', [key.channelId]))
        .n,
      2,
    );
    assert.equal((await budgetsOf(owner)).publishesSpent, 2);
  });

  it('hold under concurrent calls', async () => {
    const { key, owner } = await someone('ivan');
    await limit(owner, { deletesPerDay: 3 });
    const ids = await Promise.all(Array.from({ length: 8 }, () => api.content(key)));
    const responses = await Promise.all(ids.map((id) => api.run(key, DELETE, { id })));
    assert.equal(responses.filter(({ errors }) => errors.length === 0).length, 3);
  });

  it('of minutes refuse the next video', async () => {
    const { key, owner } = await someone('jana');
    await limit(owner, { processingMinutesPerDay: 10 });
    const note = (minutes: number) =>
      noteProcessingMinutes(
        api.platform.db,
        key.accountId,
        crypto.randomUUID(),
        minutes,
        new Date(api.clock.now()).toISOString(),
      );
    await note(9.5);
    const id = await api.content(key, { status: 'DRAFT' });
    assert.notEqual(
      (await api.refused(key, SUBMIT, { id })).code,
      'RATE_LIMIT_EXCEEDED',
      'there is no upload, but there is budget',
    );
    await note(2);
    assert.equal((await api.refused(key, SUBMIT, { id })).code, 'RATE_LIMIT_EXCEEDED');
    assert.equal((await budgetsOf(owner)).processingMinutesSpent, 11.5);
  });

  it('cannot be raised by the key, and are plain numbers', async () => {
    const { key, owner } = await someone('kurt');
    assert.equal((await api.refused(key, SET, { input: {} })).code, 'UNAUTHORIZED');
    const wrong = await api.refused(owner, SET, { input: { deletesPerDay: -1 } });
    assert.deepEqual([wrong.code, wrong.field], ['INVALID_INPUT', 'input.deletesPerDay']);
    await limit(owner, { deletesPerDay: 0 });
    assert.equal((await api.refused(key, DELETE, { id: await api.content(key) })).code, 'RATE_LIMIT_EXCEEDED');
    await limit(owner, { deletesPerDay: null });
    await api.ok(key, DELETE, { id: await api.content(key) });
  });

  it('keep the limits that a change omits, and clear those that are null', async () => {
    const { key, owner } = await someone('lars');
    const { key: other, owner: others } = await someone('mona');
    await limit(others, { deletesPerDay: 7 });
    assert.deepEqual((await limit(owner, { deletesPerDay: 5, publishesPerHour: 0 })).setKeyBudgets.budgets, {
      deletesPerDay: 5,
      publishesPerHour: 0,
      processingMinutesPerDay: null,
    });
    assert.deepEqual((await limit(owner, { deletesPerDay: null, processingMinutesPerDay: 60 })).setKeyBudgets.budgets, {
      deletesPerDay: null,
      publishesPerHour: 0,
      processingMinutesPerDay: 60,
    });
    assert.deepEqual((await limit(owner, {})).setKeyBudgets.budgets, {
      deletesPerDay: null,
      publishesPerHour: 0,
      processingMinutesPerDay: 60,
    });
    assert.equal((await api.refused(key, PUBLISH, { id: await api.content(key) })).code, 'RATE_LIMIT_EXCEEDED');
    await limit(owner, { publishesPerHour: null, processingMinutesPerDay: null });
    await api.ok(key, PUBLISH, { id: await api.content(key) });
    assert.deepEqual(await storedLimits(key), [null, null, null, false]);
    assert.deepEqual(await storedLimits(other), [7, null, null, true]);
  });

  it('stay as they are where a change is refused', async () => {
    const { key, owner } = await someone('nina');
    await limit(owner, { deletesPerDay: 5 });
    const change = { deletesPerDay: null, publishesPerHour: 1_000_001 };
    const refused = await api.refused(owner, SET, { input: change });
    assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'input.publishesPerHour']);
    assert.equal((await api.refused(key, SET, { input: { deletesPerDay: null } })).code, 'UNAUTHORIZED');
    assert.deepEqual(await storedLimits(key), [5, null, null, true]);
  });
});

describe('the audit log of a key', () => {
  it('lists every change and refusal, newest first, with name and subject', async () => {
    const { key, owner } = await someone('lena');
    const id = await api.content(key);
    await api.ok(key, PUBLISH, { id });
    const missing = id.replace(/.{4}$/, 'ffff');
    await api.refused(key, `mutation ($id: DID!) { gone: deleteContent(id: $id) { id } }`, { id: missing });
    const [second, first, ...more] = await activityOf(owner);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [first?.['operation'], first?.['subject'], first?.['outcome'], first?.['via']],
      ['publishContent', id, 'OK', 'API'],
    );
    assert.deepEqual(
      [second?.['operation'], second?.['subject'], second?.['outcome']],
      ['deleteContent', missing, 'RESOURCE_NOT_FOUND'],
    );
  });

  it('omits reads, waits and actions of a session', async () => {
    const { key, owner } = await someone('mia');
    const id = await api.content(key);
    await api.ok(key, '{ me { id } }');
    await api.ok(
      key,
      'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 0 }) { status } }',
      { id },
    );
    await api.ok(owner, PUBLISH, { id });
    assert.deepEqual(await activityOf(owner), []);
  });

  it('is complete under concurrent calls', async () => {
    const { key, owner } = await someone('nora');
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.content(key)));
    await Promise.all(ids.map((id) => api.ok(key, PUBLISH, { id })));
    assert.deepEqual(new Set((await activityOf(owner)).map((each) => each['subject'])), new Set(ids));
  });

  it('records calls whatever their document contains', async () => {
    const { key, owner } = await someone('nils');
    const titles = ['did:\0', 'did:\ud800', 'did:of:no/kind'];
    const create = 'mutation ($title: String!) { createContent(input: { title: $title }) { id } }';
    for (const title of titles) await api.run(key, create, { title });
    const id = await api.content(key);
    await api.ok(key, PUBLISH, { id });
    assert.deepEqual(
      (await activityOf(owner)).map(({ operation, subject }) => [operation, subject]),
      [['publishContent', id], ...titles.map(() => ['createContent', null])],
    );
  });

  it('is written after the database returns', async () => {
    const { key, owner } = await someone('oscar');
    const writing =
      `pid <> pg_backend_pid() and query like 'insert into ` + `api_key_audit_log%' and wait_event_type = 'Lock'`;
    await api.platform.db.transaction(async (tx) => {
      await tx.executeSql('lock table api_key_audit_log');
      await api.ok(key, PUBLISH, { id: await api.content(key) });
      const lost = async () => api.rows(`select pg_terminate_backend(pid) from pg_stat_activity where ${writing}`);
      while ((await lost()).length === 0) await setTimeout(20);
    });
    // A read may meet the terminated connection before the pool notices its end.
    const read = () => activityOf(owner).catch(() => []);
    let activity = await read();
    for (let looks = 0; activity.length === 0 && looks < 100; looks += 1, activity = await read())
      await setTimeout(100);
    assert.deepEqual(
      activity.map(({ operation }) => operation),
      ['publishContent'],
    );
  });

  it('is visible to the owner only, not to the key', async () => {
    const { key, owner } = await someone('olga');
    const { owner: other } = await someone('paul');
    await api.ok(key, PUBLISH, { id: await api.content(key) });
    const [action] = await activityOf(owner);
    assert.equal((await api.refused(key, ACTIVITY)).code, 'UNAUTHORIZED');
    const node = 'query ($id: DID!) { node(id: $id) { id } }';
    assert.equal((await api.ok(owner, node, { id: action?.['id'] })).node.id, action?.['id']);
    assert.equal((await api.ok(other, node, { id: action?.['id'] })).node, null);
  });
});
