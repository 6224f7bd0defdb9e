import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { casesOf, THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { isUpscalerInstalled, type Runner, UPSCALE_MODELS } from '../../../media/index.ts';
import { readClip, repeatingModel } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openTestProcessing, type TestProcessing } from '../../transcode/encoding/processing.fixture.ts';
import { startUpscale, type UpscaleInput } from './order-upscale.ts';
import { upscaleModels } from './upscale-models.store.ts';
import { UpscaleModels, type UpscaleModelsOptions } from './upscale-models.ts';
import type { UpscaleReceipt } from './upscale-receipt.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';
const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast', '-crf', '16'];
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=5:d=5'];
const LUMA_FACTS = { channels: 1, values: 'uint8', factor: 2, overlap: 8, fixed: null };
const RGB_FACTS = { channels: 3, values: 'float32', factor: 3, overlap: 8, fixed: null };

describe('models of the operator', { timeout: 180_000 }, () => {
  let fixture: TestProcessing;
  let folder: string;
  /** Processes that were started. */
  let started = 0;
  before(async () => {
    fixture = await openTestProcessing({ work: false });
  });
  after(() => fixture.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-models-'));
    started = 0;
  });
  afterEach(async () => {
    fixture.models = null;
    await rm(folder, { recursive: true, force: true });
    await rows('delete from upscale_models');
  });

  const rows = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    fixture.platform.db.run<Row>(sql('test', text), values);
  /** A worker that has looked into the folder. */
  async function worker(
    env: Partial<UpscaleModelsOptions['platform']['config']> = {},
    options: Partial<UpscaleModelsOptions> = {},
  ): Promise<UpscaleModels> {
    const { platform } = fixture;
    const runner: Pick<Runner, 'startProgram'> = {
      startProgram: (...args) => {
        started += 1;
        return fixture.runner.startProgram(...args);
      },
    };
    const config = { ...platform.config, UPSCALE_MODELS: folder, ...env };
    const models = new UpscaleModels({ platform: { ...platform, config }, runner, ...options });
    await models.look();
    return models;
  }
  const add = (name: string, bytes: Uint8Array) => writeFile(join(folder, `${name}.onnx`), bytes, { mode: 0o644 });
  const addOurs = (name: string) => cp(UPSCALE_MODELS.compressed, join(folder, `${name}.onnx`));
  const states = async () => (await upscaleModels(fixture.platform.db)).map(({ name, state }) => `${name} ${state}`);
  const only = async (name: string) =>
    (await upscaleModels(fixture.platform.db)).find((each) => each.name === name) ?? assert.fail(`no ${name}`);

  it('are refused with those of the platform where ONNX Runtime is not installed', async () => {
    await addOurs('mine');
    await worker({}, { isInstalled: () => false });
    assert.deepEqual(await states(), ['clean REFUSED', 'compressed REFUSED']);
    assert.equal((await only('clean')).reason, 'ONNX Runtime is not installed.');
    assert.equal(started, 0);
  });

  describe('where ONNX Runtime is installed', { skip }, () => {
    it('are probed once, listed by name, and forgotten with their files', async () => {
      await add('rgb', repeatingModel({ channels: 3, factor: 3 }));
      await add('text', Buffer.from('not a model'));
      await add('clean', Buffer.from('the name of ours'));
      const models = await worker();
      assert.deepEqual(await states(), [
        'clean READY',
        'compressed READY',
        'clean.onnx REFUSED',
        'rgb READY',
        'text REFUSED',
      ]);
      const { facts, cost, provider, measured, reason, source, digest } = await only('rgb');
      assert.deepEqual([facts, provider, reason, source], [RGB_FACTS, 'cpu', null, 'OPERATOR']);
      assert.match(digest ?? '', /^[0-9a-f]{64}$/);
      assert.ok(cost !== null && cost > 0 && Number.isFinite(cost), `${cost}`);
      assert.deepEqual(
        measured.map((each) => [each.provider, each.problem]),
        [['cpu', null]],
      );
      assert.match((await only('text')).reason ?? '', /^ONNX Runtime reports: /);

      const before = started;
      await models.look();
      assert.equal(started, before, 'nothing has changed');
      for (const name of ['text', 'clean']) await rm(join(folder, `${name}.onnx`));
      await worker();
      assert.equal(started, before, 'another worker finds what is known');
      assert.deepEqual(await states(), ['clean READY', 'compressed READY', 'rgb READY']);

      await add('rgb', repeatingModel({ channels: 1, factor: 2 }));
      await models.look();
      assert.deepEqual((await only('rgb')).facts, { ...LUMA_FACTS, values: 'float32' });
      await rm(join(folder, 'rgb.onnx'));
      await models.look();
      assert.deepEqual(await states(), ['clean READY', 'compressed READY']);
    });

    it('run on the CPU where no other provider works, which is reported', async () => {
      await addOurs('mine');
      const models = await worker({ UPSCALE_PROVIDERS: 'auto', UPSCALE_GPU_FILES: '/dev/null,/nonexistent' });
      for (const name of ['clean', 'compressed', 'mine']) {
        const { state, provider, measured } = await only(name);
        assert.deepEqual([state, provider], ['READY', 'cpu']);
        assert.deepEqual(
          measured.map((each) => [each.provider, each.seconds !== null, each.problem !== null]),
          [
            ['cpu', true, false],
            ['cuda', false, true],
            ['tensorrt', false, true],
            ['webgpu', false, true],
          ],
        );
      }
      const plan = { target: 360, model: 'clean', factor: 2, scenes: [] } as const;
      const gpu = { devices: ['/dev/null'], readOnly: [] };
      assert.deepEqual(await models.here(plan), { ...plan, here: { provider: 'cpu', gpu } });
    });

    it('are ended with the worker while they are probed, and not refused for it', async () => {
      await addOurs('mine');
      const models = await worker({ UPSCALE_MODELS: undefined });
      assert.deepEqual(await states(), ['clean READY', 'compressed READY']);
      const stopping: UpscaleModels = new UpscaleModels({
        platform: { ...fixture.platform, config: { ...fixture.platform.config, UPSCALE_MODELS: folder } },
        runner: {
          startProgram: (...args) => {
            void stopping.stop();
            return fixture.runner.startProgram(...args);
          },
        },
      });
      await assert.rejects(stopping.look());
      assert.deepEqual(await states(), ['clean READY', 'compressed READY']);
      await models.stop();
    });

    const start = (contentId: string, input: UpscaleInput) =>
      fixture.platform.db.transaction((tx) =>
        startUpscale(fixture.tools(), tx, { contentId: contentId as ContentId, input, again: false, field: 'id' }),
      );
    async function ordered(input: UpscaleInput) {
      const video = await fixture.upload(await readClip(fixture.runner, 'detailed.mp4', [...PICTURE, ...H264]));
      await fixture.process(await fixture.submit(video.contentId));
      return { ...video, jobId: await start(video.contentId, input) };
    }
    const receiptOf = async (jobId: string) =>
      (await rows<{ receipt: UpscaleReceipt | null }>('select receipt from enhancements where job_id = $1', [jobId]))[0]
        ?.receipt ?? null;
    const stateOf = async (jobId: string) =>
      (
        await rows<{ status: string; error: string | null; fix: string }>(
          'select status, error_message as error from transcode_jobs where id = $1',
          [jobId],
        )
      )[0] ?? assert.fail('no job');

    it('make the enhanced quality, and are named in its receipt', async () => {
      await addOurs('mine');
      fixture.models = await worker();
      const { digest } = await only('mine');
      const { jobId, assetId } = await ordered({ model: 'mine' });
      await fixture.process(jobId);
      assert.deepEqual(await stateOf(jobId), { status: 'COMPLETE', error: null });
      const { outcome, model, modelVersion, modelDigest } = (await receiptOf(jobId)) ?? assert.fail('no receipt');
      assert.deepEqual([outcome, model, modelVersion, modelDigest], ['ENHANCED', 'mine', null, digest]);
      const { renditions } = await fixture.assetRow(assetId);
      assert.ok(
        renditions.some((name) => name.endsWith('/v360')),
        renditions.join(),
      );
    });

    it('gain nothing where they repeat pixels, in color too', THOROUGH, async () => {
      await add('rgb', repeatingModel({ channels: 3, factor: 3 }));
      fixture.models = await worker();
      const { jobId } = await ordered({ model: 'rgb', target: 480 });
      await fixture.process(jobId);
      const { outcome, model } = (await receiptOf(jobId)) ?? assert.fail('no receipt');
      assert.deepEqual([outcome, model], ['NO_GAIN', 'rgb']);
    });

    for (const [when, until] of casesOf(
      [
        ['while it is encoded', 'plan'],
        ['before it is planned', null],
      ] as const,
      1,
    ))
      it(`end a job with an error where their file was changed ${when}, and add nothing`, async () => {
        await addOurs('mine');
        const models = await worker();
        fixture.models = models;
        const { jobId, assetId } = await ordered({ model: 'mine' });
        const before = await fixture.assetRow(assetId);
        if (until) await fixture.process(jobId, fixture.platform, until);
        await add('mine', await readFile(UPSCALE_MODELS.clean));
        if (!until) await models.look();
        await fixture.process(jobId);
        const { status, error } = await stateOf(jobId);
        assert.equal(status, 'ERROR');
        assert.match(error ?? '', /^The model "mine" was removed or changed after upscaling was ordered\./);
        assert.deepEqual(await fixture.assetRow(assetId), before);
        assert.equal(await receiptOf(jobId), null);
      });

    it('are not taken from another file in the sandbox', async () => {
      await addOurs('mine');
      const models = await worker();
      fixture.models = {
        here: async (plan) => {
          const here = await models.here(plan);
          // In the moment between the check and the start of the program.
          await add('mine', await readFile(UPSCALE_MODELS.clean));
          return here;
        },
      };
      const { jobId } = await ordered({ model: 'mine' });
      await fixture.process(jobId);
      const { status, error } = await stateOf(jobId);
      assert.equal(status, 'ERROR');
      assert.match(error ?? '', /^The processing step upscale ended with an error\./);
      assert.equal(await receiptOf(jobId), null);
    });
  });
});
