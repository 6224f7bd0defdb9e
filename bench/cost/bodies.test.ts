import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { textInputs } from '../../server/src/gql/index.ts';
import type { CostArguments } from './arguments.ts';
import { bodiesFor, isMeasuredElsewhere } from './bodies.ts';

const did = (kind: string) => `did:reelgraph:${kind}/0190a6f0-0000-7000-8000-000000000001`;
// The others are not used.
const PLACES = {
  ...{ channel: did('channel'), content: did('content/feature'), own: [did('content/feature')] },
  ...{ playlist: did('playlist'), comment: did('comment'), captions: did('asset/captions') },
} as unknown as CostArguments & { captions: string };

describe('measured bodies', () => {
  it('have every text of the schema at its largest size', async () => {
    const schema = buildSchema(await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    const bodies = bodiesFor(schema, PLACES);
    const wanted = [...textInputs(schema).keys()].filter((coordinate) => !isMeasuredElsewhere(coordinate));
    assert.deepEqual(bodies.map(({ name }) => name).sort(), wanted.sort());
    for (const { query } of bodies) assert.deepEqual(validate(schema, parse(query)), [], query);
    const sizes = new Map(bodies.map(({ name, most }) => [name, most]));
    assert.equal(sizes.get('CreateContentCaptionsInput.text'), 524_288);
    assert.equal(sizes.get('UpdateInstanceInput.termsText'), 200_000);
    assert.equal(sizes.get('ContentInput.title'), 16_384);
    const text = bodies.find(({ name }) => name === 'CreateContentCaptionsInput.text');
    assert.deepEqual(text?.variables('a'), { id: did('content/feature'), input: { language: 'en', text: 'a' } });
  });
});
