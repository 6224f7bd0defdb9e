import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { gpuFiles, isUpscalerInstalled, NO_GPU, UPSCALE_MODELS } from '@reelgraph/upscale';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { testRunner } from '../testing.ts';
import { comparedWith, costBeside, fastest, type MeasuredProvider, probeModel } from './probe-model.ts';

const skip = isUpscalerInstalled() ? false : 'onnxruntime-node is not installed: npm install --include=optional';

describe('providers of ONNX Runtime', { skip, timeout: 120_000 }, () => {
  it('are measured; the CPU is used where the others are not in this build or find no GPU', THOROUGH, async () => {
    const providers = ['cuda', 'webgpu'] as const;
    const probed = await probeModel(testRunner, UPSCALE_MODELS.compressed, { providers, gpu: NO_GPU });
    assert.deepEqual(probed.facts, { channels: 1, values: 'uint8', factor: 2, overlap: 8, fixed: null });
    assert.equal(probed.provider, 'cpu');
    assert.ok(probed.cost > 0 && Number.isFinite(probed.cost), `${probed.cost}`);
    const [cpu, cuda, webgpu] = probed.measured;
    assert.ok(cpu?.provider === 'cpu' && cpu.problem === null && (cpu.seconds ?? 0) > 0, JSON.stringify(cpu));
    assert.deepEqual([cuda?.provider, cuda?.seconds], ['cuda', null]);
    assert.match(
      cuda?.problem ?? '',
      /^The model cannot be used: ONNX Runtime reports: .*Failed to load shared library/,
    );
    assert.deepEqual([webgpu?.provider, webgpu?.seconds], ['webgpu', null]);
    assert.match(webgpu?.problem ?? '', /^The model /);
  });

  it('need a model that can be used on the CPU', async () => {
    const options = { providers: ['cuda'], gpu: NO_GPU, limits: { maxModelBytes: 40 } } as const;
    await assert.rejects(probeModel(testRunner, UPSCALE_MODELS.clean, options), { reason: 'too-large' });
  });
});

test('a model costs what it takes beside ours, which takes 0.36 CPU seconds for a million pixels', () => {
  assert.deepEqual([costBeside(4, 2), costBeside(2, 2), costBeside(0.1, 2)], [0.72, 0.36, 0.018]);
});

describe('the choice of a provider', () => {
  const cpu = { picture: Uint8Array.of(10, 20, 30) };
  it('takes the fastest one that works', () => {
    const of = (provider: MeasuredProvider['provider'], seconds: number | null): MeasuredProvider => ({
      ...{ provider, seconds, problem: seconds === null ? 'broken' : null },
    });
    assert.equal(fastest([of('cpu', 3), of('cuda', 1), of('tensorrt', null)]).provider, 'cuda');
    assert.equal(fastest([of('cpu', 3), of('cuda', 5)]).provider, 'cpu');
    assert.equal(fastest([of('cpu', 3), of('cuda', 3)]).provider, 'cpu');
    assert.equal(fastest([of('cpu', 3), of('cuda', null)]).provider, 'cpu');
  });

  it('accepts what differs by a level, and nothing else', () => {
    const near = { picture: Uint8Array.of(11, 20, 29), seconds: 0.5 };
    assert.deepEqual(comparedWith(cpu, 'cuda', near), { provider: 'cuda', seconds: 0.5, problem: null });
    const wrong = { picture: Uint8Array.of(10, 20, 28), seconds: 0.5 };
    assert.deepEqual(comparedWith(cpu, 'cuda', wrong), {
      ...{ provider: 'cuda', seconds: null, problem: 'Its picture differs from that of the CPU by 2 levels.' },
    });
    assert.match(comparedWith(cpu, 'cuda', { picture: Uint8Array.of(10), seconds: 1 }).problem ?? '', /another size/);
  });
});

describe('what a GPU needs', () => {
  it('is divided into devices and libraries; what is missing is left out', () => {
    assert.deepEqual(gpuFiles(['/dev/null', '/dev/reelgraph-missing', '/usr', '/usr/reelgraph-missing']), {
      devices: ['/dev/null'],
      readOnly: ['/usr'],
    });
    assert.deepEqual(gpuFiles(['/dev']), { devices: [], readOnly: [] });
  });
});
