import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type GraphQLScalarType, parseValue } from 'graphql';
import { createBuilder } from './builder.ts';

const builder = createBuilder([{ name: 'GlobalId', description: 'x' }]);
builder.queryType({
  description: 'x',
  fields: (t) => ({
    a: t.field({ type: 'GlobalId', resolve: () => '' }),
    b: t.field({ type: 'DateTime', resolve: () => '' }),
    c: t.field({ type: 'BigInt', resolve: () => 0 }),
    d: t.field({ type: 'Date', resolve: () => '' }),
    e: t.field({ type: 'URL', resolve: () => '' }),
    f: t.field({ type: 'MimeType', resolve: () => '' }),
    g: t.field({ type: 'Long', resolve: () => 0 }),
  }),
});
const schema = builder.toSchema();
const scalar = (name: string) => schema.getType(name) as GraphQLScalarType; // declared above

describe('scalars', () => {
  const accepted: Array<[type: string, literal: string, value: unknown]> = [
    ['DateTime', '"2026-03-01T12:00:00Z"', '2026-03-01T12:00:00.000Z'],
    ['DateTime', '"2026-03-01T12:00:00.5+02:00"', '2026-03-01T10:00:00.500Z'],
    ['DateTime', '"2024-02-29T00:00Z"', '2024-02-29T00:00:00.000Z'],
    ['BigInt', '9007199254740991', 9007199254740991],
    ['BigInt', '-1', -1],
    ['GlobalId', '"anything"', 'anything'],
    ['Date', '"2024-02-29"', '2024-02-29'],
    ['Date', '"2026-03-01T12:00:00Z"', '2026-03-01T12:00:00.000Z'],
    ['URL', '"https://example.com/a b?c#d"', 'https://example.com/a b?c#d'],
    ['MimeType', '"video/mp4"', 'video/mp4'],
    ['MimeType', '"image/svg+xml; charset=utf-8"', 'image/svg+xml; charset=utf-8'],
    ['Long', '9007199254740991', 9007199254740991],
  ];
  for (const [type, literal, value] of accepted) {
    test(`${type} accepts ${literal}, as a literal and as a variable`, () => {
      assert.equal(scalar(type).parseLiteral(parseValue(literal)), value);
      assert.equal(scalar(type).parseValue(JSON.parse(literal)), value);
    });
  }

  const refused: Array<[type: string, literal: string]> = [
    ['DateTime', '"2026-02-30T12:00:00Z"'],
    ['DateTime', '"2026-03-01"'],
    ['DateTime', '"2026-03-01T12:00:00"'],
    ['DateTime', '"tomorrow"'],
    ['DateTime', '"+275760-09-13T00:00:00Z"'],
    ['DateTime', '1'],
    ['BigInt', '9007199254740992'],
    ['BigInt', '1.5'],
    ['BigInt', '"1"'],
    ['BigInt', 'true'],
    ['GlobalId', '1'],
    ['Date', '"2026-02-30"'],
    ['Date', '20260301'],
    ['URL', '"/video.mp4"'],
    ['URL', '"example.com"'],
    ['URL', '1'],
    ['MimeType', '"video"'],
    ['MimeType', '"video/mp4, text/html"'],
    ['Long', '9007199254740992'],
    ['Long', '1.5'],
  ];
  for (const [type, literal] of refused) {
    test(`${type} rejects ${literal}`, () => {
      assert.throws(() => scalar(type).parseLiteral(parseValue(literal)));
      assert.throws(() => scalar(type).parseValue(JSON.parse(literal)));
    });
  }
});
