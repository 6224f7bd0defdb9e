import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse, valueFromASTUntyped } from 'graphql';
import { platformSchema } from '../../../server/src/schema.ts';
import type { Persona } from '../../../server/src/testing/seed-accounts.ts';
import { openSeededPlatform, type SeededPlatform } from '../../../server/src/testing/seed-platform.ts';
import { asRecord } from '../src/errors.ts';
import { OPERATIONS } from '../src/generated/operations.gen.ts';

/** Operations that only a signed-in browser may call. */
const FOR_SESSIONS = new Set([
  'developerSettings',
  'generateApiKey',
  'revealApiKey',
  'regenerateApiKey',
  'startTrial',
  'setKeyBudgets',
  'claimOperator',
  'requestAccountArchive',
  'openBillingPortal',
  'startCheckout',
]);
/** Operations that only a signed-in operator may call. */
const FOR_OPERATORS = new Set([
  'accounts',
  'createInvitation',
  'invitations',
  'mailMessages',
  'operatorActions',
  'serverJobs',
  'updateInstance',
  'serverStorage',
  'serverChannels',
  'serverVideos',
  'serverReports',
  'reviewReport',
  'liftTakedown',
  'serverStatus',
  'retryServerJob',
  'cancelServerJob',
  'reinstateAccount',
  'revokeInvitation',
  'sendPasswordReset',
  'setAccountPlan',
  'suspendAccount',
]);
/** Refused because the plan of the signed-in example account has expired, after the document was validated. */
const REFUSED = new Set(['generateApiKey', 'regenerateApiKey']);
/** Examples of methods without a root field of the same name. */
const DEEPER: Readonly<Record<string, string>> = {
  channelContents: 'Query.channel',
  channelMembers: 'Query.channel',
  channelTrash: 'Query.channel',
  channelAnalytics: 'Query.channel',
  playlistItems: 'Query.playlist',
  replies: 'Query.comment',
};
const MAX_PAGE = 100;

let seeded: SeededPlatform;
before(async () => {
  seeded = await openSeededPlatform();
});
after(() => seeded?.close());

/** `id: "…", first: 2` as variables. */
function variablesOf(literal: string): Record<string, unknown> {
  if (literal === '') return {};
  const [definition] = parse(`{ field(${literal}) }`).definitions;
  const field = definition && 'selectionSet' in definition ? definition.selectionSet.selections[0] : undefined;
  const args = field && 'arguments' in field ? (field.arguments ?? []) : [];
  return Object.fromEntries(args.map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));
}

function personaOf(name: string): Persona {
  if (FOR_OPERATORS.has(name)) return 'operator';
  return FOR_SESSIONS.has(name) ? 'free' : 'owner';
}

/** Variables for a read, with the largest page for a list. */
function readVariables(name: string, text: string): Record<string, unknown> {
  const channel = variablesOf(seeded.queries['Query.channel'] ?? '').id;
  const special: Record<string, object> = {
    heldComments: { channel },
    videoNumbers: { channel },
    videoAnalytics: { channel, contentId: variablesOf(seeded.queries['Query.content'] ?? '').id },
  };
  const literal = seeded.queries[DEEPER[name] ?? `Query.${name}`] ?? '';
  const page = text.includes('$first:') ? { first: MAX_PAGE } : {};
  return { ...variablesOf(literal), ...special[name], ...page };
}

/** Asserts that the response is where the method looks for it. */
function assertAnswered(name: keyof typeof OPERATIONS, response: { data?: unknown; errors: readonly unknown[] }): void {
  assert.deepEqual(response.errors, []);
  const path: readonly string[] = OPERATIONS[name].path;
  const value = path.reduce<unknown>((above, key) => asRecord(above)[key], response.data);
  assert.ok(value !== undefined && value !== null, `${name} answered ${JSON.stringify(response.data)}`);
}

const names = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]; // keys of a constant

describe('every operation of the client runs on the platform, lists with their largest page', () => {
  for (const name of names) {
    const { kind } = OPERATIONS[name];
    const text = `${OPERATIONS[name]}`;
    const me = () => seeded.people[personaOf(name)] ?? assert.fail();
    if (kind === 'query')
      test(name, async () => assertAnswered(name, await seeded.run(me(), text, readVariables(name, text))));
    if (kind === 'mutation') {
      test(name, async () => {
        const literal = await seeded.mutation(name, personaOf(name));
        assert.ok(literal !== null, `testing/example-seeded.ts has no example of ${name}`);
        const response = await seeded.run(me(), text, variablesOf(literal));
        if (REFUSED.has(name)) assert.equal(response.errors[0]?.code, 'UNAUTHORIZED');
        else assertAnswered(name, response);
      });
    }
  }
});

test('there is a method for every root field', () => {
  const schema = platformSchema();
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  assert.deepEqual(
    fields.filter((field) => !(field in OPERATIONS)),
    [],
  );
});
