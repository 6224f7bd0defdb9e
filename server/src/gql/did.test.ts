import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppError } from '../kernel/errors.ts';
import { DID_KINDS, type DidKind, formatDid, parseDid, requireDid } from './did.ts';

const ID = '0190a6f0-0000-7000-8000-0000000000ab';

describe('DIDs', () => {
  for (const kind of Object.keys(DID_KINDS) as DidKind[]) {
    test(`of kind ${kind} parse to their kind and id`, () => {
      assert.deepEqual(parseDid('reelgraph', formatDid('reelgraph', kind, ID)), { kind, id: ID });
    });
  }

  test('are written with the namespace and the path of their kind', () => {
    assert.equal(formatDid('reelgraph', 'feature', ID), `did:reelgraph:content/feature/${ID}`);
  });

  test('accept upper-case hexadecimal digits', () => {
    assert.deepEqual(parseDid('reelgraph', `did:reelgraph:channel/${ID.toUpperCase()}`), { kind: 'channel', id: ID });
  });

  for (const text of [
    '',
    'did:',
    ID,
    `did:other:channel/${ID}`,
    `did:reelgraph:nothing/${ID}`,
    'did:reelgraph:channel/1',
    `did:reelgraph:channel/${ID}x`,
    `did:reelgraph:/${ID}`,
    `did:reelgraph:channel/${'a'.repeat(300)}`,
    `did:reelgraph:content/${ID}`,
  ]) {
    test(`${JSON.stringify(text.slice(0, 60))} is invalid`, () => assert.equal(parseDid('reelgraph', text), null));
  }

  test('of another kind are INVALID_INPUT with the argument and the expected kind', () => {
    assert.throws(
      () => requireDid('reelgraph', formatDid('reelgraph', 'channel', ID), ['feature', 'short'], 'id'),
      (error) =>
        error instanceof AppError &&
        error.code === 'INVALID_INPUT' &&
        error.field === 'id' &&
        error.suggestedFix.includes('did:reelgraph:content/feature/<id> or did:reelgraph:content/short/<id>'),
    );
  });
});
