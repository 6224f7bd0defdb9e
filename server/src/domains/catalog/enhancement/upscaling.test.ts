import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSeedData } from '../../../testing/seed-data.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const UPSCALE =
  'mutation ($id: DID!, $input: UpscaleContentInput) { upscaleContent(id: $id, input: $input) { job { id status } } }';
const ESTIMATE = 'query ($id: DID!, $input: UpscaleContentInput) { estimateUpscale(id: $id, input: $input) { cpuMs } }';
const MODELS =
  '{ upscaling { available models { name source factors isDefault state reason digest provider ' +
  'providers { provider megapixelMs problem } } } }';
const OUR = { source: 'BUILT_IN', factors: [2, 4], state: 'READY', reason: null, digest: null, provider: null };
const OURS = [
  { name: 'compressed', isDefault: true, ...OUR, providers: [] },
  { name: 'clean', isDefault: false, ...OUR, providers: [] },
];
const DIGEST = '5f'.repeat(32);

describe('upscaling with the models that workers found', () => {
  let api: TestCatalog;
  let anna: Person;
  let content: string;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
    content = await createSeedData(api, anna).processed();
  });
  after(() => api.close());

  /** What a worker that looked has written. */
  async function found(...models: readonly Record<string, unknown>[]): Promise<void> {
    await api.rows('delete from upscale_models');
    for (const model of models) {
      const row = { source: 'BUILT_IN', state: 'READY', measured: [], found_at: '2026-11-23T12:00:00Z', ...model };
      await api.rows('insert into upscale_models select * from jsonb_populate_record(null::upscale_models, $1)', [
        JSON.stringify(row),
      ]);
    }
  }
  const OPERATORS = {
    ...{ name: 'anime', source: 'OPERATOR', digest: DIGEST, probe_version: 1, cost: 7.2, provider: 'cuda' },
    facts: { channels: 3, values: 'float32', factor: 3, overlap: 16, fixed: null },
    measured: [
      { provider: 'cpu', seconds: 6, problem: null },
      { provider: 'cuda', seconds: 0.5, problem: null },
    ],
  };
  const SHOWN = [
    { provider: 'CPU', megapixelMs: 6_000, problem: null },
    { provider: 'CUDA', megapixelMs: 500, problem: null },
  ];
  const REFUSED = { name: 'broken', source: 'OPERATOR', state: 'REFUSED', reason: 'It makes grey of 0.' };
  const NONE = { state: 'REFUSED', reason: 'ONNX Runtime is not installed.' };
  const inputOf = () =>
    api.row<{ input: object }>(
      `select e.input from enhancements e join video_assets v on v.id = e.video_asset_id where v.content_id = $1`,
      [uuidOf(content)],
    );

  it('lists those of the platform where no worker has looked yet', async () => {
    assert.deepEqual(await api.ok(anna, MODELS), { upscaling: { available: true, models: OURS } });
  });

  it('is refused at once where the workers cannot run models, and nothing changes', async () => {
    await found({ name: 'compressed', ...NONE }, { name: 'clean', ...NONE });
    assert.deepEqual(await api.ok(anna, MODELS), { upscaling: { available: false, models: [] } });
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const operation of [UPSCALE, ESTIMATE]) {
        const { code, message, suggestedFix } = await api.refused(anna, operation, { id: content });
        // Not SERVICE_UNAVAILABLE, which clients repeat.
        assert.equal(code, 'INVALID_INPUT');
        assert.equal(message, 'This server cannot upscale: ONNX Runtime is not installed on its workers.');
        assert.match(suggestedFix, /npm install --include=optional/);
      }
    });
    assert.deepEqual(changed, []);
  });

  it('lists those of the operator, and for operators why others are refused', async () => {
    await found({ name: 'clean' }, { name: 'compressed' }, OPERATORS, REFUSED);
    const theirs = {
      ...{ name: 'anime', source: 'OPERATOR', factors: [3], isDefault: false, state: 'READY', reason: null },
      digest: DIGEST,
    };
    const { models } = (await api.ok(anna, MODELS)).upscaling;
    assert.deepEqual(models, [...OURS, { ...theirs, provider: null, providers: [] }]);
    const olga = await api.person('olga');
    await api.rows('update accounts set is_operator = true where id = $1', [olga.accountId]);
    assert.equal((await api.ok(olga, MODELS)).upscaling.models.length, 3, 'a key never has the role');
    const seen = (await api.ok(await api.signedIn(olga), MODELS)).upscaling.models;
    assert.deepEqual(seen.slice(2), [
      { ...theirs, provider: 'CUDA', providers: SHOWN },
      {
        ...{ name: 'broken', source: 'OPERATOR', factors: [], isDefault: false, state: 'REFUSED' },
        ...{ reason: 'It makes grey of 0.', digest: null, provider: null, providers: [] },
      },
    ]);
  });

  it('takes a model by its name, with what it costs and can', async () => {
    await found({ name: 'clean' }, { name: 'compressed' }, OPERATORS, REFUSED);
    const cpuMs = async (model?: string) => {
      const input = model === undefined ? {} : { model };
      return (await api.ok(anna, ESTIMATE, { id: content, input })).estimateUpscale.cpuMs as number;
    };
    const [ours, theirs] = [await cpuMs(), await cpuMs('anime')];
    assert.equal(await cpuMs('clean'), ours);
    // 7.2 and 0.36 CPU seconds for a million pixels; sound, decoding and encoding cost the same.
    assert.ok(theirs > 10 * ours && theirs < 20 * ours, `${ours} and ${theirs}`);
    const { job: first } = (await api.ok(anna, UPSCALE, { id: content, input: { model: 'anime' } })).upscaleContent;
    assert.deepEqual(await inputOf(), { input: { target: 1440, factor: 3, model: 'anime', digest: DIGEST } });
    const again = await api.ok(anna, UPSCALE, { id: content, input: { model: 'anime', target: 1440 } });
    assert.equal(again.upscaleContent.job.id, first.id);
    const other = await api.ok(anna, UPSCALE, { id: content, input: { model: 'clean' } });
    assert.notEqual(other.upscaleContent.job.id, first.id);
    assert.deepEqual(await inputOf(), { input: { target: 1440, factor: 2, model: 'clean' } });
  });

  it('refuses models that there are not, and sizes that a model does not make, and nothing changes', async () => {
    await found({ name: 'clean' }, { name: 'compressed' }, OPERATORS, REFUSED);
    const refusals: [input: object, field: string, reason: RegExp][] = [
      [{ model: 'broken' }, 'input.model', /^There is no model "broken"\. Send one of .*anime/],
      [{ model: '../secret' }, 'input.model', /^There is no model "\.\.\/secret"\./],
      [{ model: '' }, 'input.model', /^There is no model ""\./],
      [{ model: 'x'.repeat(5000) }, 'input.model', /^There is no model "x{64}"\./],
      [{ model: 'anime', target: 4320 }, 'input.target', /^4320 lines are not offered .* with the model anime\./],
    ];
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const operation of [UPSCALE, ESTIMATE])
        for (const [input, field, reason] of refusals) {
          const { code, message, suggestedFix, ...error } = await api.refused(anna, operation, { id: content, input });
          assert.deepEqual([code, error.field], ['INVALID_INPUT', field]);
          assert.match(`${message} ${suggestedFix}`, reason);
        }
    });
    assert.deepEqual(changed, []);
  });
});
