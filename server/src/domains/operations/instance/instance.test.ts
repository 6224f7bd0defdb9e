import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FEATURE_NAMES, FEATURES } from '../../../kernel/features.ts';
import { InstanceCache } from '../../../platform/instance/instance-cache.ts';
import { platformSchema } from '../../../schema.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const FIELDS =
  '{ name signUp termsUrl privacyUrl featuresOff accentColor termsText { markdown changedAt } ' +
  'privacyText { markdown } }';
const READ = `{ instance ${FIELDS} }`;
const UPDATE = `mutation ($input: UpdateInstanceInput!) { updateInstance(input: $input) { instance ${FIELDS} } }`;
const LOG = '{ operatorActions(first: 5) { edges { node { kind subject details } } } }';

const parsedSchema = () => ({ fields: new Map(Object.entries(platformSchema().getMutationType()?.getFields() ?? {})) });

describe('settings of the server', () => {
  let api: TestCatalog;
  let anna: Person;
  let operator: Person;
  let cache: InstanceCache;
  before(async () => {
    api = await openTestCatalog({
      env: { SIGN_UP: 'invite' },
      switchedOff: () => cache.current.featuresOff,
    });
    [anna, operator] = [await api.person('anna'), await operatorOf(api, 'olga')];
    const { db, config, log, test } = api.platform;
    cache = new InstanceCache({ url: test.url, db, config, log });
    await cache.start();
  });
  after(async () => {
    await cache.stop();
    await api.close();
  });
  const rows = () =>
    api.row<object>(
      `select (select json_agg(i)::text from instance_settings i) as settings,
         (select count(*)::int from operator_actions) as actions,
         (select json_agg(t)::text from instance_texts t) as texts`,
    );

  it('have defaults, change for all processes, and are noted', async () => {
    const defaults = {
      ...{ name: 'Reelgraph', signUp: 'INVITE', termsUrl: null, privacyUrl: null, featuresOff: [] },
      ...{ termsText: null, privacyText: null, accentColor: null },
    };
    assert.deepEqual((await api.ok(anna, READ)).instance, defaults);
    const input = {
      ...{ name: ' Harbour TV ', signUp: 'CLOSED', termsUrl: 'https://example.com/terms' },
      accentColor: '#0B57D0',
    };
    const changed = { ...defaults, ...input, name: 'Harbour TV', accentColor: '#0b57d0' };
    assert.deepEqual((await api.ok(operator, UPDATE, { input })).updateInstance.instance, changed);
    await until(async () => cache.current.name === 'Harbour TV' && cache.current.signUp === 'closed');
    const settled = await rows();
    await api.ok(operator, UPDATE, { input });
    assert.deepEqual(await rows(), settled, 'a repetition changes nothing');
    const cleared = await api.ok(operator, UPDATE, { input: { name: null, signUp: null, accentColor: null } });
    assert.deepEqual(cleared.updateInstance.instance, { ...defaults, termsUrl: 'https://example.com/terms' });
    const { edges } = (await api.ok(operator, LOG)).operatorActions;
    assert.deepEqual(
      edges.map(({ node }: { node: object }) => node),
      [
        {
          kind: 'SETTINGS_CHANGED',
          subject: 'Server',
          details: 'Name: default. Who can sign up: default. Accent color: default.',
        },
        {
          kind: 'SETTINGS_CHANGED',
          subject: 'Server',
          details:
            'Name: Harbour TV. Who can sign up: nobody. Address of the terms of service: ' +
            'https://example.com/terms. Accent color: #0b57d0.',
        },
      ],
    );
  });

  it('switch features off, whose mutations are refused until they are switched on again', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const write = 'mutation ($id: DID!) { createComment(contentId: $id, body: "Hello") { id } }';
    const choose = async (featuresOff: string[]) => {
      const { instance } = (await api.ok(operator, UPDATE, { input: { featuresOff } })).updateInstance;
      assert.deepEqual(instance.featuresOff, featuresOff);
      await until(async () => String(cache.current.featuresOff) === String(featuresOff));
    };
    await choose(['COMMENTS', 'DATA_EXPORTS']);
    const count = () => api.row('select count(*)::int as n from comments');
    const refused = await api.refused(anna, write, { id: content });
    assert.deepEqual([refused.code, refused.message], ['UNAUTHORIZED', 'Comments are switched off on this server.']);
    assert.deepEqual(await count(), { n: 0 });
    await api.ok(anna, 'mutation { createChannel(input: { name: "second", handle: "second" }) { channel { id } } }');
    await choose([]);
    await api.ok(anna, write, { id: content });
  });

  it('keep a text, which takes the place of an address, with the day it changed, and the other way round', async () => {
    const texts = async (input: object) => {
      const { termsUrl, termsText } = (await api.ok(operator, UPDATE, { input })).updateInstance.instance;
      return { termsUrl, termsText };
    };
    await texts({ termsUrl: 'https://example.com/terms' });
    const changedAt = new Date(api.clock.now()).toISOString();
    const own = { termsUrl: 'http://reelgraph.test/terms', termsText: { markdown: '# Terms\n\nBe kind.', changedAt } };
    assert.deepEqual(await texts({ termsText: ' # Terms\r\n\r\nBe kind.' }), own);
    await until(async () => cache.current.termsChangedAt === changedAt && cache.current.termsUrl === null);
    const { edges } = (await api.ok(operator, LOG)).operatorActions;
    assert.equal(edges[0].node.details, 'Address of the terms of service: default. Terms of service: 17 characters.');
    const german = (await api.ok({ ...operator, language: 'de' }, LOG)).operatorActions.edges[0].node.details;
    assert.equal(german, 'Adresse der Nutzungsbedingungen: Standard. Nutzungsbedingungen: 17 Zeichen.');
    const before = await rows();
    api.clock.advance(1_000);
    assert.deepEqual(await texts({ termsText: '# Terms\n\nBe kind.' }), own, 'it has not changed');
    assert.deepEqual(await rows(), before);
    const elsewhere = { termsUrl: 'https://example.com/new', termsText: null };
    assert.deepEqual(await texts({ termsUrl: 'https://example.com/new' }), elsewhere);
    await texts({ termsText: 'Short.' });
    assert.deepEqual(await texts({ termsText: '' }), { termsUrl: null, termsText: null });
  });

  it('name only mutations that exist', () => {
    const { fields } = parsedSchema();
    for (const name of FEATURE_NAMES)
      for (const mutation of FEATURES[name].mutations) assert.ok(fields.has(mutation), mutation);
  });

  it('refuse what is not valid, and everyone but operators, and then nothing changes', async () => {
    const before = await rows();
    for (const [input, field] of [
      [{ name: 'x'.repeat(41) }, 'input.name'],
      [{ name: 'a\nBcc: eve@example.com' }, 'input.name'],
      [{ name: 'a <eve@example.com>' }, 'input.name'],
      [{ termsUrl: 'javascript:alert(1)' }, 'input.termsUrl'],
      [{ termsUrl: 'http://example.com' }, 'input.termsUrl'],
      [{ privacyUrl: 'https://user:pass@example.com' }, 'input.privacyUrl'],
      [{ privacyUrl: `https://example.com/${'x'.repeat(2_000)}` }, 'input.privacyUrl'],
      [{ accentColor: 'red' }, 'input.accentColor'],
      [{ accentColor: '#ffffff' }, 'input.accentColor'],
      [{ termsText: 'x'.repeat(100_001) }, 'input.termsText'],
      [{ privacyText: 'a\u0000b' }, 'input.privacyText'],
      [{ privacyText: 'Text', privacyUrl: 'https://example.com/privacy' }, 'input.privacyText'],
    ] as const) {
      const error = await api.refused(operator, UPDATE, { input });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
    }
    for (const who of [anna, await api.signedIn(anna)])
      assert.equal((await api.refused(who, UPDATE, { input: { name: 'Mine' } })).code, 'UNAUTHORIZED');
    assert.deepEqual(await rows(), before);
  });
});
