import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DocumentCache, type Operation, Planner } from '@reelgraph/sql-planner';
import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
} from 'graphql';
import { viewerSource } from './domains/accounts/viewer.sql.ts';
import { type CredentialKind, DEFAULT_LIMITS, loadTrustedDocuments, MAX_PAGE_SIZE } from './gql/index.ts';
import { platformPorts } from './gql/ports.ts';
import { platformSchema } from './schema.ts';

/** The web application's documents in their most expensive form, against the limits. */
const DOCUMENTS = fileURLToPath(new URL('../../web/src/gql/generated/trusted-documents.json', import.meta.url));
const SCALARS: Readonly<Record<string, unknown>> = {
  DID: 'did:reelgraph:channel/01a1fbd9-f9ef-7000-a2d5-0118192635b4',
  DateTime: '2026-01-01T00:00:00.000Z',
  Date: '2026-01-01',
  IngestionID: 'did:reelgraph:ingestion/01a1fbd9-f9ef-7000-a2d5-0118192635b4',
  String: 'text',
  URL: 'https://example.com/',
  Boolean: true,
  Int: MAX_PAGE_SIZE,
  BigInt: 1,
  Float: 1,
};

/** Variables of which a request has one. */
const INSTEAD: Readonly<Record<string, string>> = { shortCode: 'id' };

describe('documents of the web application', () => {
  const schema = platformSchema();
  const planner = new Planner(
    platformPorts({ namespace: 'reelgraph', viewerSource, authorize: () => ({ kind: 'allow' }) }),
  );
  const operations: Operation[] = [];

  before(async () => {
    const documents = new DocumentCache(schema, DEFAULT_LIMITS);
    for (const text of (await loadTrustedDocuments(DOCUMENTS)).values()) {
      const found = documents.find(text, undefined);
      assert.ok(found.kind === 'operation', `${text.slice(0, 60)}: ${JSON.stringify(found)}`);
      operations.push(found.operation);
    }
  });

  /** Points with maximum page sizes, and with all conditional fields. */
  const costOf = (operation: Operation, credential: CredentialKind): number => {
    const definitions = operation.node.variableDefinitions ?? [];
    const named = definitions.filter(
      ({ variable }) => !definitions.some((other) => INSTEAD[other.variable.name.value] === variable.name.value),
    );
    const variables = named.map(({ variable, type }) => {
      const known = typeFromAST(schema, type as never); // the overloads do not cover the union that it is
      assert.ok(isInputType(known), `${operation.name}: ${variable.name.value}`);
      return [variable.name.value, dearest(known)];
    });
    const { values, errors } = operation.coerce(Object.fromEntries(variables));
    assert.equal(errors, undefined, operation.name);
    const { cost, roots } = planner.plan(operation, credential, values);
    for (const root of roots) assert.ok(root.kind !== 'invalid', operation.name);
    return cost;
  };

  test('are valid and within the shape limits', () => {
    assert.equal(DEFAULT_LIMITS.maxDepth, 12);
    assert.ok(operations.length > 100);
  });

  test('cost at most 1,000 points, for anyone', () => {
    const costs = operations.map((operation) => [operation.name, costOf(operation, 'session')] as const);
    assert.deepEqual(
      costs.filter(([, cost]) => cost <= 0 || cost > DEFAULT_LIMITS.maxCost),
      [],
    );
  });

  test('cost the same without a key, if allowed', () => {
    const open = operations.filter(({ accesses }) => accesses.every((access) => access === 'public'));
    for (const name of ['Home', 'Watch', 'Search', 'ChannelPage', 'Comments'])
      assert.ok(
        open.some((operation) => operation.name === name),
        name,
      );
    for (const operation of open)
      assert.equal(costOf(operation, 'anonymous'), costOf(operation, 'session'), operation.name);
  });
});

function dearest(type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) return [dearest(bare.ofType)];
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (!isInputObjectType(bare)) return SCALARS[bare.name] ?? 'words';
  const needed = Object.values(bare.getFields()).filter((field) => isNonNullType(field.type));
  return Object.fromEntries(needed.map((field) => [field.name, dearest(field.type)]));
}
