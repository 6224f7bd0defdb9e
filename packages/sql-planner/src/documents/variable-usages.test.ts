import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createBuilder } from '../schema/builder.ts';
import { DocumentCache } from './document-cache.ts';
import { DEFAULT_DOCUMENT_LIMITS } from './document-limits.ts';

const builder = createBuilder([{ name: 'GlobalId', description: 'x', acceptsVariablesOf: ['ID', 'String'] }]);
const Link = builder.inputType('Link', {
  description: 'x',
  fields: (t) => ({
    url: t.field({ type: 'URL', description: 'x' }),
    size: t.field({ type: 'BigInt', required: true, defaultValue: 7, description: 'x' }),
  }),
});
builder.queryType({
  description: 'x',
  fields: (t) => ({
    show: t.string({
      args: {
        id: t.arg({ type: 'GlobalId' }),
        ids: t.arg({ type: ['GlobalId'] }),
        url: t.arg({ type: 'URL' }),
        urls: t.arg({ type: ['URL'] }),
        mime: t.arg({ type: 'MimeType' }),
        size: t.arg({ type: 'BigInt', required: true, defaultValue: 1 }),
        views: t.arg({ type: 'Long' }),
        ratio: t.arg({ type: 'Float' }),
        count: t.arg({ type: 'Int' }),
        text: t.arg({ type: 'String' }),
        at: t.arg({ type: 'DateTime' }),
        day: t.arg({ type: 'Date' }),
        link: t.arg({ type: Link }),
        links: t.arg({ type: [Link] }),
        texts: t.arg({ type: ['String'] }),
      },
      resolve: () => '',
    }),
  }),
});
const documents = new DocumentCache(builder.toSchema(), DEFAULT_DOCUMENT_LIMITS);

/** The messages of a document, or else of its variables, or else the values. */
function outcome(text: string, raw: Record<string, unknown> = {}): unknown {
  const found = documents.find(text, undefined);
  if (found.kind === 'invalid') return found.errors.errors.map(({ message }) => message);
  const { values, errors } = found.operation.coerce(raw);
  return errors ? errors.errors.map(({ message, advice }) => `${advice.field}: ${message}`) : { ...values };
}

describe('a variable of another scalar', () => {
  const accepted: Array<[type: string, place: string, value: unknown]> = [
    ['ID!', 'id: $v', 'thing/1'],
    ['String', 'id: $v', 'thing/1'],
    ['[ID!]!', 'ids: $v', ['thing/1', 'thing/2']],
    ['[String!]', 'ids: $v', ['thing/1']],
    ['ID!', 'text: $v', 'x'],
    ['String!', 'url: $v', 'https://example.com/a'],
    ['[String!]!', 'urls: $v', ['https://example.com/a', 'https://example.com/b']],
    ['String', 'link: { url: $v }', 'https://example.com/a'],
    ['String', 'mime: $v', 'video/mp4'],
    ['Int!', 'size: $v', 5],
    ['Int', 'size: $v', 5],
    ['Int', 'link: { size: $v }', 5],
    ['Int = 3', 'size: $v', 5],
    ['Long!', 'size: $v', 9007199254740991],
    ['BigInt', 'views: $v', 5],
    ['Int', 'views: $v', 5],
    ['Int', 'ratio: $v', 5],
    ['[ID]', 'ids: $v', ['thing/1', 'thing/2']],
    ['[ID]!', 'ids: $v', ['thing/1']],
    ['[URL]', 'urls: $v', ['https://example.com/a']],
    ['[Link]!', 'links: $v', [{ size: 1 }]],
  ];
  for (const [type, place, value] of accepted) {
    test(`${type} is accepted in ${place}`, () => {
      assert.deepEqual(outcome(`query($v: ${type}) { show(${place}) }`, { v: value }), { v: value });
    });
  }

  const refused: Array<[type: string, place: string, expected: string]> = [
    ['Int', 'id: $v', 'GlobalId'],
    ['Int', 'text: $v', 'String'],
    ['Float', 'size: $v', 'BigInt!'],
    ['BigInt', 'count: $v', 'Int'],
    ['String', 'at: $v', 'DateTime'],
    ['String', 'day: $v', 'Date'],
    ['String', 'size: $v', 'BigInt!'],
    ['[ID!]', 'id: $v', 'GlobalId'],
    ['ID', 'ids: $v', '[GlobalId!]'],
    ['[Int]', 'ids: $v', '[GlobalId!]'],
    ['URL', 'id: $v', 'GlobalId'],
    ['URL', 'text: $v', 'String'],
  ];
  for (const [type, place, expected] of refused) {
    test(`${type} is refused in ${place}`, () => {
      assert.deepEqual(outcome(`query($v: ${type}) { show(${place}) }`), [
        `Variable "$v" of type "${type}" used in position expecting type "${expected}".`,
      ]);
    });
  }

  test('has to hold a value of the place', () => {
    const message = 'A URL is an absolute address, such as https://example.com/video.mp4.';
    assert.deepEqual(outcome('query($v: String!) { show(url: $v) }', { v: 'video.mp4' }), [
      `v: Variable "$v" got invalid value "video.mp4"; ${message}`,
    ]);
    assert.deepEqual(outcome('query($v: [String!]) { show(urls: $v) }', { v: ['https://a.example', 'b'] }), [
      `v[1]: Variable "$v" got invalid value "b" at "v[1]"; ${message}`,
    ]);
    assert.deepEqual(outcome('query($v: String = "x") { show(text: $v, link: { url: $v }) }'), [
      `v: Variable "$v" got invalid value "x"; ${message}`,
    ]);
    assert.deepEqual(outcome('query($v: String) { show(url: $v) }', { v: null }), { v: null });
  });

  test('holds no null items where the place allows none', () => {
    const refused = (at: string, type: string) =>
      `${at}: Variable "$v" got invalid value null at "${at}"; Expected non-nullable type "${type}" not to be null.`;
    const query = (type: string, place: string) => `query($v: ${type}) { show(${place}) }`;
    assert.deepEqual(outcome(query('[String]', 'texts: $v'), { v: ['a', null] }), [refused('v[1]', 'String!')]);
    assert.deepEqual(outcome(query('[ID]', 'ids: $v'), { v: [null] }), [refused('v[0]', 'GlobalId!')]);
    assert.deepEqual(outcome(query('[Link]!', 'links: $v'), { v: [{ size: 1 }, null] }), [refused('v[1]', 'Link!')]);
    assert.deepEqual(outcome(query('[String]', 'texts: $v'), { v: null }), { v: null });
  });

  test('is checked at its places in fragments', () => {
    const text = 'query($v: String, $w: Int) { ...F } fragment F on Query { show(url: $v, id: $w) }';
    assert.deepEqual(outcome(text), ['Variable "$w" of type "Int" used in position expecting type "GlobalId".']);
    assert.deepEqual(outcome('query($v: String) { ...F } fragment F on Query { show(mime: $v) }', { v: 'video' }), [
      'v: Variable "$v" got invalid value "video"; A MimeType is a media type, such as video/mp4.',
    ]);
  });
});
