import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { casesOf } from '../../scripts/test-runner/cases.ts';
import type { Person } from './domains/catalog/testing.ts';
import { DID_KINDS, type DidKind, formatDid, parseDid } from './gql/index.ts';
import { CONTENT_DID_KINDS } from './kernel/content-kinds.ts';
import { newId } from './kernel/ids.ts';
import { type Access, isPermission, TEST_TOKEN_PERMISSIONS, TOKEN_PERMISSIONS } from './kernel/permissions.ts';
import { platformSchema } from './schema.ts';
import { permissionsWithout } from './testing/access-attempts.ts';
import { askingFor, type DidArgument, didArguments } from './testing/did-arguments.ts';
import { queryReaching, smallestSelection } from './testing/example-documents.ts';
import { casesOf as examplesOf } from './testing/example-mutations.ts';
import { type HiddenObjects, PUBLIC_KINDS } from './testing/hidden-objects.ts';
import type { SeedData } from './testing/seed-data.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

/** Every argument that takes an identifier is asked for what exists and is hidden, and for what does not exist. */
const places = didArguments(platformSchema());
const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription'];
/** Mutations that do the rest where an identifier is of nothing. */
const IN_PART: readonly string[] = ['createPlaylistWithItems', 'trackEngagement'];

/** A token of the owner for all channels, which an operation without a permission does not refuse. */
const WITHOUT = 'a token without the permission';

interface Caller {
  readonly name: string;
  /** The person for an operation with this access. */
  who(access: Access): Promise<Person>;
  /** Objects of its own, for the other arguments. */
  readonly things: SeedData;
}

let fixture: SeededPlatform;
let callers: readonly Caller[];
let hidden: HiddenObjects;
before(async () => {
  fixture = await openSeededPlatform();
  hidden = await fixture.hide();
  callers = await callersOf(fixture);
});
after(() => fixture?.close());

async function callersOf({ people, ownerWith, inTestMode, otherChannel, seedFor }: SeededPlatform): Promise<Caller[]> {
  const { stranger, owner } = people;
  assert.ok(stranger && owner);
  const limited = await ownerWith(TOKEN_PERMISSIONS, await otherChannel());
  const inTests = await inTestMode(TEST_TOKEN_PERMISSIONS);
  const without = new Map<Access, Person>();
  return [
    { name: 'a stranger', who: async () => stranger, things: seedFor(stranger) },
    { name: 'a token for another channel', who: async () => limited, things: seedFor(limited) },
    { name: 'a test token', who: async () => inTests, things: seedFor(inTests) },
    {
      name: WITHOUT,
      async who(access) {
        const known = without.get(access) ?? (await ownerWith(permissionsWithout(access), null));
        without.set(access, known);
        return known;
      },
      things: seedFor(owner),
    },
  ];
}

const pathOf = ({ typeName, field, path }: DidArgument) =>
  `${ROOTS.includes(typeName) ? typeName.toLowerCase() : typeName} ${field.name}(${path.join('.')})`;

/** The document that asks for `$asked`. */
async function documentFor(place: DidArgument, things: SeedData, me: Person): Promise<string> {
  const { typeName, field, scalar } = place;
  const examples = fixture.queries;
  const name = `${typeName}.${field.name}`;
  const kind = ROOTS.includes(typeName) ? typeName.toLowerCase() : 'query';
  const head = `${kind} ($asked: ${scalar}!)`;
  if (!ROOTS.includes(typeName)) {
    const document = queryReaching(fixture.schema, name, {
      ...examples,
      [name]: askingFor(place, examples[name] ?? ''),
    });
    return `${head} ${document ?? assert.fail(`No example reaches ${name}.`)}`;
  }
  const given = typeName === 'Mutation' ? await preparedFor(field.name, things, me) : (examples[name] ?? '');
  return `${head} { ${field.name}(${askingFor(place, given)})${smallestSelection(field.type)} }`;
}

const prepared = new WeakMap<SeedData, Map<string, string>>();

/** Arguments of a mutation with objects of the caller, made once: calls are refused, and leave them as they are. */
async function preparedFor(mutation: string, things: SeedData, me: Person): Promise<string> {
  const known = prepared.get(things) ?? new Map<string, string>();
  prepared.set(things, known);
  const [, prepare] = examplesOf(mutation)[0] ?? [];
  const given = known.get(mutation) ?? (await prepare?.(things, me)) ?? '';
  known.set(mutation, given);
  return given;
}

/** The response as sent, without what differs from one request to the next. */
async function ask(place: DidArgument, who: Person, document: string, did: string): Promise<string> {
  const body =
    place.typeName === 'Subscription'
      ? await fixture.follow(who, document, { asked: did })
      : (await fixture.execute(who, document, { asked: did })).body;
  return JSON.stringify(body ?? 'a stream')
    .replaceAll(did.slice(-36), '<asked>')
    .replace(/"available":[\d.]+/, '"available":<left>')
    .replace(/"processingTimeMs":[\d.]+/, '"processingTimeMs":<time>');
}

/** The kinds of identifiers that the argument takes, as its refusal of another kind names them. */
async function kindsOf(place: DidArgument, document: string): Promise<DidKind[]> {
  const { owner } = fixture.people;
  assert.ok(owner);
  const text = await ask(place, owner, document, didOf('keyAction'));
  const named = [...text.matchAll(/did:[a-z]+:([a-z/-]+)\/<id>/g)].map(([, path]) => path);
  const all = Object.keys(DID_KINDS) as DidKind[];
  const kinds = all.filter((kind) => named.includes(DID_KINDS[kind]));
  const asked = (kinds.length > 0 ? kinds : all).filter((kind) => !PUBLIC_KINDS.includes(kind));
  // Contents are resolved in the same way, whatever their kind.
  const contents: readonly DidKind[] = CONTENT_DID_KINDS.filter((kind) => asked.includes(kind));
  const rest = asked.filter((kind) => !contents.includes(kind));
  return [...casesOf(contents, 1), ...(kinds.length > 0 ? rest : rest.filter((kind) => hidden.has(kind)))];
}

const didOf = (kind: DidKind) => formatDid('reelgraph', kind, newId());

describe('what is hidden is as what is missing', () => {
  for (const place of places) {
    const { typeName, field } = place;
    test(`in ${pathOf(place)}, which changes no row`, async () => {
      fixture.rest();
      const access = (field.extensions['access'] as Access | undefined) ?? 'public';
      let kinds: readonly DidKind[] | undefined;
      for (const { name, who, things } of callers) {
        if (name === WITHOUT && !isPermission(access)) continue;
        const me = await who(access);
        const document = await documentFor(place, things, me);
        kinds ??= await kindsOf(place, document);
        const asked = kinds;
        const compare = () => askForEach(place, me, document, asked, name);
        if (typeName !== 'Mutation' || IN_PART.includes(field.name)) await compare();
        else assert.deepEqual(await fixture.changed(compare), [], name);
      }
    });
  }

  /** Compares the response for each hidden object with the one for a missing object of its kind. */
  async function askForEach(
    place: DidArgument,
    me: Person,
    document: string,
    kinds: readonly DidKind[],
    name: string,
  ): Promise<void> {
    for (const kind of kinds) {
      const objects = hidden.get(kind) ?? assert.fail(`No hidden object is a ${kind}: see testing/hidden-objects.ts.`);
      const missing = await ask(place, me, document, didOf(kind));
      assert.notEqual(missing, '"a stream"', `${name} may follow what does not exist`);
      assert.doesNotMatch(missing, /GRAPHQL_VALIDATION_FAILED|INTERNAL_SERVER_ERROR|RATE_LIMIT_EXCEEDED/, name);
      for (const [what, did] of objects)
        assert.equal(await ask(place, me, document, did), missing, `${name}: ${kind}, ${what}`);
    }
  }

  test('of every kind that has objects', () => {
    for (const [kind, objects] of hidden)
      for (const [, did] of objects) assert.equal(parseDid('reelgraph', did)?.kind, kind);
    assert.ok(places.length > 150, `${places.length} arguments`);
  });
});
