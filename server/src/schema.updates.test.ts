import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  parseValue,
  print,
  type ValueNode,
} from 'graphql';
import { EDITED_TABLES } from '../migrations/declarations/revisions.ts';
import { USAGE_LIMIT_FIELDS } from './domains/accounts/keys/usage-limit-fields.ts';
import { SETTINGS_FIELDS } from './domains/accounts/settings/profile-fields.ts';
import { CAPTIONS_FIELDS } from './domains/assets/captions/captions-fields.ts';
import { CONTENT_FIELDS } from './domains/catalog/contents/content-fields.ts';
import type { Person } from './domains/catalog/testing.ts';
import { CHANNEL_FIELDS } from './domains/channels/channel-fields.ts';
import { WEBHOOK_FIELDS } from './domains/integrations/webhooks/webhook-fields.ts';
import { CHAT_FIELDS } from './domains/live/chat/chat-fields.ts';
import { LIVE_INPUT_FIELDS } from './domains/live/inputs/live-input-fields.ts';
import { SIMULCAST_TARGET_FIELDS } from './domains/live/simulcast/simulcast-target-fields.ts';
import { PLAYLIST_FIELDS } from './domains/playlists/playlist-fields.ts';
import { MODERATION_FIELDS } from './domains/social/moderation/moderation-fields.ts';
import type { EntityFields } from './gql/entity-fields/entity-field.ts';
import { platformSchema } from './schema.ts';
import { smallestSelection } from './testing/example-documents.ts';
import { casesOf } from './testing/example-mutations.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

/** What a call does each time, by mutation. Every other one changes nothing when it is repeated; nor does `create…`. */
const ACTS_EACH_TIME: Readonly<Record<string, string>> = {
  addPlaylistItems: 'adds the contents once more: a playlist may have one twice',
  claimOperator: 'counts the attempt',
  exportData: 'starts another export',
  importYouTubeLibrary: 'imports the next videos',
  inviteChannelMember: 'sends the invitation again, with another link',
  publishVideo: 'creates another video',
  redeliverWebhook: 'sends the message again',
  regenerateApiKey: 'creates another key',
  replaceContentVideo: 'starts another upload',
  requestAccountArchive: 'starts another archive',
  rotateLiveInputKey: 'creates another key',
  rotateWebhookSecret: 'creates another secret',
  scheduleStream: 'schedules another broadcast',
  sendPasswordReset: 'sends another message',
  testWebhook: 'sends another message',
  timeOutUser: 'begins again, from now',
};

/** Updates without `ifRevision`, and why nobody's changes are lost by them. */
const WITHOUT_REVISION: Readonly<Record<string, string>> = {
  setAccountPlan: 'one value, which is chosen',
  setChannelCategories: 'one list, which is chosen',
  setContentThumbnail: 'one value, which is chosen',
  updateChannelMember: 'one value, which is chosen',
  updateComment: 'one text of one author, whose former versions are kept',
  updateContents: 'each of its items has one, in its changes',
  updateNotificationSettings: 'one value for a kind of notification',
};

const mutations = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
const isRepeatable = ({ name }: GraphQLField<unknown, unknown>) => !/^create/.test(name) && !(name in ACTS_EACH_TIME);
const inputOf = (field: GraphQLField<unknown, unknown>): GraphQLInputObjectType | undefined =>
  field.args.map(({ type }) => getNamedType(type)).find((type) => isInputObjectType(type));

function fieldsOf(type: GraphQLNamedType | undefined): Readonly<Record<string, GraphQLField<unknown, unknown>>> {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

interface Called {
  readonly code: string;
  readonly changed: readonly string[];
}

let calls = 0;

async function send(field: GraphQLField<unknown, unknown>, given: string, who: Person | null): Promise<Called> {
  calls += 1; // no document is cached
  const call = `call${calls}: ${field.name}${given === '' ? '' : `(${given})`}`;
  let code = 'allowed';
  const changed = await fixture.changed(async () => {
    const { data, errors } = await fixture.run(who, `mutation { ${call}${smallestSelection(field.type)} }`);
    const [value] = Object.values(data ?? {}) as { results?: { error: { code: string } | null }[] }[];
    code = errors[0]?.code ?? value?.results?.[0]?.error?.code ?? code;
  });
  return { code, changed };
}

/** Prepares an object and calls the mutation as the first of the callers who may. */
async function firstCall(field: GraphQLField<unknown, unknown>, caseName: string, reduce: (given: string) => string) {
  const codes: string[] = [];
  for (const persona of ['owner', 'operator', 'home'] as const) {
    const who = persona === 'home' ? await fixture.atHome(field.name) : fixture.people[persona];
    const given = reduce((await fixture.mutation(field.name, persona === 'home' ? 'owner' : persona, caseName)) ?? '');
    const first = await send(field, given, who);
    if (!['UNAUTHORIZED', 'UNAUTHENTICATED', 'RESOURCE_NOT_FOUND'].includes(first.code)) return { given, who, first };
    codes.push(first.code);
  }
  return null; // the example is of a call that is refused
}

/** The arguments without what is optional; null when nothing is. */
function required(field: GraphQLField<unknown, unknown>, given: string): string | null {
  const args = parseValue(`{ ${given} }`) as ObjectValueNode; // the arguments are written as the fields of an object
  const kept = args.fields.flatMap((argument) => {
    const type = field.args.find(({ name }) => name === argument.name.value)?.type;
    const isId = type && getNamedType(type).name === 'DID';
    if (!type || !(isNonNullType(type) || isId)) return [];
    return [`${argument.name.value}: ${print(reduced(argument.value, type))}`];
  });
  const text = kept.join(', ');
  return text === args.fields.map((each) => print(each)).join(', ') ? null : text;
}

function reduced(value: ValueNode, type: GraphQLInputType): ValueNode {
  if (isNonNullType(type)) return reduced(value, type.ofType);
  if (value.kind === Kind.LIST)
    return { ...value, values: value.values.map((each) => reduced(each, isListType(type) ? type.ofType : type)) };
  if (value.kind !== Kind.OBJECT || !isInputObjectType(type)) return value;
  const fields = value.fields.flatMap((each) => {
    const declared = type.getFields()[each.name.value];
    return declared && isRequiredInputField(declared) ? [{ ...each, value: reduced(each.value, declared.type) }] : [];
  });
  return { ...value, fields };
}

/** Whether the arguments name objects, and say nothing of them. */
function namesOnly(field: GraphQLField<unknown, unknown>, given: string): boolean {
  const args = parseValue(`{ ${given} }`) as ObjectValueNode; // as above
  const saysNothing = (value: ValueNode, type: GraphQLInputType): boolean => {
    const named = getNamedType(type);
    if (value.kind === Kind.LIST) return value.values.every((each) => saysNothing(each, type));
    if (value.kind === Kind.OBJECT && isInputObjectType(named))
      return value.fields.every(({ name, value: of }) => {
        const declared = named.getFields()[name.value];
        return declared !== undefined && saysNothing(of, declared.type);
      });
    return named.name === 'DID';
  };
  return args.fields.every(({ name, value }) => {
    const type = field.args.find((each) => each.name === name.value)?.type;
    return type !== undefined && saysNothing(value, type);
  });
}

// First, when nothing has rows from earlier calls.
describe('an update that says nothing changes nothing', () => {
  const updates = mutations.filter((field) => isRepeatable(field) && /^(update|set)/.test(field.name));
  for (const field of updates)
    test(field.name, async () => {
      const called = await firstCall(field, '', (given) => required(field, given) ?? given);
      if (called === null) return;
      const { given, who, first } = called;
      if (namesOnly(field, given)) assert.deepEqual(first.changed, [], `${field.name}(${given})`);
      assert.deepEqual((await send(field, given, who)).changed, [], `${field.name}(${given}) again`);
    });
});

describe('a repeated call changes nothing: no event, no entry of an audit log, no updatedAt, no row', () => {
  for (const field of mutations.filter(isRepeatable))
    for (const [caseName] of casesOf(field.name))
      test(`${field.name} ${caseName}`, async () => {
        const called = await firstCall(field, caseName, (given) => given);
        if (called === null) return;
        const again = await send(field, called.given, called.who);
        assert.deepEqual(again.changed, [], `${field.name}(${called.given})`);
      });

  for (const name of Object.keys(ACTS_EACH_TIME))
    test(`${name} exists, and acts each time`, () => assert.ok(mutations.some((field) => field.name === name)));
});

describe('an update that is based on an earlier revision', () => {
  const updates = mutations.filter(({ name }) => /^(update|set)/.test(name) && !(name in WITHOUT_REVISION));
  for (const field of updates) {
    const input = inputOf(field);
    if (!input) continue; // its arguments are the only value
    test(`${field.name} is CONFLICT, and changes no row`, async () => {
      assert.ok('ifRevision' in input.getFields(), 'ifRevision, or an entry in WITHOUT_REVISION');
      const based = (given: string) => given.replace(/input: \{/, 'input: { ifRevision: 99999,');
      const called = await firstCall(field, casesOf(field.name)[0]?.[0] ?? '', based);
      assert.ok(called, 'somebody may');
      assert.deepEqual(called.first, { code: 'CONFLICT', changed: [] });
    });

    test(`${field.name} returns what has the revision`, () => {
      const answer = getNamedType(field.type);
      // Operations of other services answer the object itself.
      const owners = answer.name.endsWith('Payload')
        ? Object.values(fieldsOf(answer)).map(({ type }) => getNamedType(type))
        : [answer];
      const isRevised = (type?: GraphQLNamedType) => 'revision' in fieldsOf(type);
      assert.ok(owners.some(isRevised), answer.name);
      if (field.name === 'updateModeration') assert.ok(isRevised(platformSchema().getType('ChannelModeration')));
    });
  }
});

test('an update without its trigger is noticed', async () => {
  const field = mutations.find(({ name }) => name === 'updateContent');
  assert.ok(field);
  await fixture.rows('alter table contents disable trigger contents_revise', []);
  const { given = '', who = null } = (await firstCall(field, '', (each) => each)) ?? {};
  const again = await send(field, given, who);
  await fixture.rows('alter table contents enable trigger contents_revise', []);
  assert.deepEqual(again, { code: 'allowed', changed: ['contents', 'events'] });
});

describe('revisions count every field of a form', () => {
  const tables: readonly (readonly [string, EntityFields, readonly string[]])[] = [
    ['contents', CONTENT_FIELDS, ['chapters', 'comment_mode']],
    ['channels', CHANNEL_FIELDS, []],
    ['playlists', PLAYLIST_FIELDS, []],
    ['captions', CAPTIONS_FIELDS, []],
    ['channel_moderation', MODERATION_FIELDS, []],
    ['webhooks', WEBHOOK_FIELDS, []],
    ['live_inputs', LIVE_INPUT_FIELDS, []],
    ['simulcast_targets', SIMULCAST_TARGET_FIELDS, ['stream_key']],
    ['chats', CHAT_FIELDS, []],
    ['account_settings', SETTINGS_FIELDS, []],
    ['api_key_usage_limits', USAGE_LIMIT_FIELDS, []],
  ];
  for (const [table, fields, more] of tables)
    test(table, () => {
      const edited = EDITED_TABLES.find((each) => each.table === table)?.edited.map((each) => each.split('::')[0]);
      const columns = Object.values(fields).flatMap(({ column }) => (column === null ? [] : [column]));
      assert.deepEqual(edited?.sort(), [...columns, ...more].sort());
    });

  test('and these are all tables', () => {
    assert.deepEqual(EDITED_TABLES.map(({ table }) => table).sort(), tables.map(([table]) => table).sort());
  });
});
