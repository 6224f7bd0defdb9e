import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CliError } from '../src/errors.ts';
import { type FieldKind, readDocument, readVariables } from '../src/graphql-input.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'reelgraph-cli-'));
  writeFileSync(join(folder, 'word.txt'), 'a word');
  writeFileSync(join(folder, 'me.graphql'), 'query Me { me { username } }');
  writeFileSync(join(folder, 'list.json'), '[1]');
});
after(() => rmSync(folder, { recursive: true }));

describe('a variable', () => {
  for (const [kind, value, expected] of [
    ['json', '1', 1],
    ['json', '{"a":[true]}', { a: [true] }],
    ['json', 'did:x', 'did:x'],
    ['typed', '-2', -2],
    ['typed', 'true', true],
    ['typed', 'null', null],
    ['typed', '1.5', '1.5'],
    ['typed', '{"a":1}', '{"a":1}'],
    ['text', '2024', '2024'],
    ['text', '@word.txt', '@word.txt'],
    ['text', '', ''],
  ] as const satisfies [FieldKind, string, unknown][])
    it(`${value} of kind ${kind}`, async () =>
      assert.deepEqual(await readVariables(undefined, [{ kind, pair: `a=${value}` }]), { a: expected }));

  it('is read from a file after an @', async () => {
    const pair = `a=@${join(folder, 'word.txt')}`;
    assert.deepEqual(await readVariables(undefined, [{ kind: 'typed', pair }]), { a: 'a word' });
  });

  it('overrides the one of the object', async () => {
    const field = { kind: 'typed', pair: 'n=1' } as const;
    assert.deepEqual(await readVariables(' {"n": 50, "b": "x"}', [field]), { n: 1, b: 'x' });
  });

  it('without a value is refused, and so are variables that are no object', async () => {
    await assert.rejects(readVariables(undefined, [{ kind: 'text', pair: 'a' }]), CliError);
    await assert.rejects(readVariables('{"a":', []), CliError);
    await assert.rejects(readVariables(join(folder, 'list.json'), []), CliError);
  });
});

describe('a document', () => {
  it('is the argument, or the file that it names', async () => {
    assert.equal(await readDocument('{ me { username } }'), '{ me { username } }');
    assert.equal(await readDocument(join(folder, 'me.graphql')), 'query Me { me { username } }');
    await assert.rejects(readDocument(join(folder, 'missing.graphql')), CliError);
  });
});
