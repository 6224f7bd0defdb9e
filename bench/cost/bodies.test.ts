import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';
import { textInputs } from '../../server/src/gql/index.ts';
import type { CostArguments } from './arguments.ts';
import { bodiesFor, isMeasuredElsewhere } from './bodies.ts';
import { restBodies } from './rest-bodies.ts';

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

describe('measured texts of the other routes', () => {
  const cases = restBodies({ credential: { authorization: 'Bearer key' } });
  const requestOf = (name: string) => cases.find((each) => each.name === name)?.request('long text');

  it('are those of the OpenAPI document, each in a request that is valid but for it', () => {
    assert.deepEqual(requestOf('POST /uploads: header Upload-Metadata'), {
      path: '/uploads',
      method: 'POST',
      headers: { authorization: 'Bearer key', 'Tus-Resumable': '1.0.0', 'Upload-Metadata': 'long text' },
    });
    assert.equal(
      requestOf('GET /playback/{content}/master.m3u8: query site')?.path,
      '/playback/a/master.m3u8?token=a&site=long%20text',
    );
    assert.deepEqual(requestOf('POST /uploads/{address}/complete: etags.[]')?.body, '{"etags":["long text"]}');
    assert.equal(
      requestOf('POST /api/auth/oauth2/token: refresh_token')?.body,
      'grant_type=refresh_token&refresh_token=long+text',
    );
  });

  it('have different names', () => {
    const names = cases.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });
});
