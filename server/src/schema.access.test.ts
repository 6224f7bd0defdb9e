import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { GraphQLField } from 'graphql';
import { type Access, CHANNEL_ROLES, PERMISSIONS } from './kernel/permissions.ts';
import { buildPlatformSchema } from './schema.ts';
import { smallestSelection } from './testing/example-documents.ts';
import { type ExampleWorld, openExampleWorld, PERSONAS, type Persona } from './testing/example-world.ts';

const schema = buildPlatformSchema();
let world: ExampleWorld;
before(async () => {
  world = await openExampleWorld();
});
after(() => world?.close());

/** Codes with which the API says that something is not for this caller. */
const REFUSALS = ['UNAUTHENTICATED', 'UNAUTHORIZED', 'RESOURCE_NOT_FOUND'];

type Root = 'query' | 'mutation' | 'subscription';
const ROOTS = [
  ['query', schema.getQueryType()],
  ['mutation', schema.getMutationType()],
  ['subscription', schema.getSubscriptionType()],
] as const;
const FIELDS = ROOTS.flatMap(([root, type]) =>
  // The schema's own check has made sure that every root field states an access.
  Object.values(type?.getFields() ?? {}).map((field) => ({ root, field, access: field.extensions['access'] as Access })),
);

/** Read like anything else, but the example is the channel's own: it is not there for anyone who does not work on it. */
const HIDDEN_FROM_STRANGERS = ['job', 'jobUpdated', 'youtubePublishJob'];

/** For people in a browser, not for their keys. */
const BY_PERSON: readonly Access[] = ['api_key:manage', 'operator:claim'];

/** Not for plans that are over, although signed in. */
const NEEDS_A_PLAN = ['generateApiKey', 'regenerateApiKey'];

/** What the permission's row in the table promises to each of them: the one place that says so. */
function expected(name: string, access: Access, persona: Persona): 'allowed' | 'UNAUTHENTICATED' | 'UNAUTHORIZED' | 'refused' {
  if (persona === 'anonymous' || persona === 'signed_out') return 'UNAUTHENTICATED';
  if (persona === 'lapsed') return 'UNAUTHORIZED';
  if (access === 'public') return 'allowed';
  if (access === 'invitation:manage') return persona === 'operator' ? 'allowed' : 'UNAUTHORIZED';
  const inBrowser = persona === 'signed_in' || persona === 'operator';
  if (BY_PERSON.includes(access)) return inBrowser && !NEEDS_A_PLAN.includes(name) ? 'allowed' : 'UNAUTHORIZED';
  const { role, from } = PERMISSIONS[access];
  if (inBrowser && from !== 'FREE') return 'UNAUTHORIZED';
  if ((persona === 'stranger' || persona === 'operator') && HIDDEN_FROM_STRANGERS.includes(name)) return 'refused';
  if (role === null || persona === 'owner') return 'allowed';
  const rank = CHANNEL_ROLES.findIndex((each) => each.toLowerCase() === (persona === 'signed_in' ? 'manager' : persona));
  return rank >= CHANNEL_ROLES.indexOf(role) ? 'allowed' : 'refused';
}

async function documentFor(root: Root, field: GraphQLField<unknown, unknown>, persona: Persona): Promise<string> {
  const type = `${root.charAt(0).toUpperCase()}${root.slice(1)}`;
  const given = root === 'mutation' ? await world.mutation(field.name, persona) : (world.queries[`${type}.${field.name}`] ?? '');
  assert.ok(given !== null, `testing/example-world.ts has no example of the mutation ${field.name}`);
  return `${root} { ${given === '' ? field.name : `${field.name}(${given})`}${smallestSelection(field.type)} }`;
}

async function attempt(root: Root, field: GraphQLField<unknown, unknown>, persona: Persona): Promise<string> {
  const document = await documentFor(root, field, persona);
  const who = world.people[persona];
  if (root === 'subscription') return (await world.subscribe(who, document)) ?? 'allowed';
  const { data, errors } = await world.run(who, document);
  // Bulk mutations say so of each thing by itself.
  const error = errors[0] ?? data?.[field.name]?.results?.[0]?.error;
  if (!error) return 'allowed';
  assert.ok(REFUSALS.includes(error.code), `${field.name} as ${persona}: ${error.code} ${error.field} ${error.message}`);
  return error.code;
}

describe('who may do what', () => {
  for (const { root, field, access } of FIELDS) {
    for (const persona of PERSONAS) {
      const wanted = expected(field.name, access, persona);
      test(`${root} ${field.name} (${access}) as ${persona}: ${wanted}`, async () => {
        const outcome = await attempt(root, field, persona);
        assert.ok(wanted === 'refused' ? REFUSALS.includes(outcome) : outcome === wanted, `the answer is ${outcome}`);
      });
    }
  }
});

describe('what nobody may do with a document that is trusted', () => {
  for (const { root, field, access } of FIELDS) {
    test(`${root} ${field.name}: ${access === 'public' ? 'read' : 'nothing'}`, async () => {
      assert.deepEqual(await world.openly(await documentFor(root, field, 'anonymous')), access === 'public' ? [] : ['UNAUTHENTICATED']);
    });
  }
});
