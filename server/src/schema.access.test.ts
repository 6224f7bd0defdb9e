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

/** What the permission's row in the table promises to each of them: the one place that says so. */
function expected(access: Access, persona: Persona): 'allowed' | 'UNAUTHENTICATED' | 'UNAUTHORIZED' | 'refused' {
  if (persona === 'anonymous') return 'UNAUTHENTICATED';
  if (persona === 'lapsed') return 'UNAUTHORIZED';
  if (access === 'public') return 'allowed';
  if (access === 'api_key:manage') return 'UNAUTHORIZED'; // all of them come with keys
  const { role } = PERMISSIONS[access];
  if (role === null || persona === 'owner') return 'allowed';
  const rank = CHANNEL_ROLES.findIndex((each) => each.toLowerCase() === persona);
  return rank >= CHANNEL_ROLES.indexOf(role) ? 'allowed' : 'refused';
}

async function attempt(root: 'query' | 'mutation', field: GraphQLField<unknown, unknown>, persona: Persona): Promise<string> {
  const given = root === 'query' ? (world.queries[`Query.${field.name}`] ?? '') : await world.mutation(field.name);
  assert.ok(given !== null, `testing/example-world.ts has no example of the mutation ${field.name}`);
  const call = given === '' ? field.name : `${field.name}(${given})`;
  const { data, errors } = await world.run(world.people[persona], `${root} { ${call}${smallestSelection(field.type)} }`);
  // Bulk mutations say so of each thing by itself.
  const error = errors[0] ?? data?.[field.name]?.results?.[0]?.error;
  if (!error) return 'allowed';
  assert.ok(REFUSALS.includes(error.code), `${field.name} as ${persona}: ${error.code} ${error.field} ${error.message}`);
  return error.code;
}

describe('who may do what', () => {
  for (const [root, type] of [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      // The schema's own check has made sure that every root field states one.
      const access = field.extensions['access'] as Access;
      for (const persona of PERSONAS) {
        test(`${root} ${field.name} (${access}) as ${persona}: ${expected(access, persona)}`, async () => {
          const outcome = await attempt(root, field, persona);
          const wanted = expected(access, persona);
          assert.ok(wanted === 'refused' ? REFUSALS.includes(outcome) : outcome === wanted, `the answer is ${outcome}`);
        });
      }
    }
  }
});
