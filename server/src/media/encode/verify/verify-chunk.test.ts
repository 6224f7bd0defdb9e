import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { casesOf } from '../../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../../clips.fixture.ts';
import { inspectFile } from '../../inspect/inspect-file.ts';
import { clips, runner } from '../../package/packaging.fixture.ts';
import type { Runner } from '../../runner.ts';
import { encodeChunk } from '../encode-chunk.ts';
import { type EncodePlan, planEncode } from '../encode-plan.ts';
import { FaultyEncodingError } from './faulty-encoding.ts';
import { faultyRunner, type PlantedFault } from './faulty-runner.fixture.ts';

const root = await mkdtemp(join(tmpdir(), 'verified-'));
after(() => rm(root, { recursive: true, force: true }));

interface Source {
  readonly path: string;
  readonly plan: EncodePlan;
}

async function sourceOf(name: string, args: readonly string[]): Promise<Source> {
  const path = await clips.make(name, args);
  const inspection = await inspectFile(runner, path);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return { path, plan: planEncode(inspection.facts) };
}

async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  const start = bytes.indexOf('mdat') + 100;
  await writeFile(path, bytes.fill(0xa5, start, start + 400));
}

let runs = 0;

/** Encodes chunks of a kind, and names the fault that was found: which, of what, when in seconds; null without one. */
async function faultOf({ path, plan }: Source, kind: 'video' | 'audio', numbers: readonly number[], by: Runner) {
  for (const chunk of plan.chunks.filter((each) => each.kind === kind && numbers.includes(each.number))) {
    runs += 1;
    const options = { inputPath: path, workDir: join(root, `${runs}`), write: async () => {} };
    try {
      await encodeChunk(by, plan, chunk, options);
    } catch (error) {
      if (!(error instanceof FaultyEncodingError)) throw error;
      return [error.fault.fault, error.fault.folder, error.fault.atMs / 1000];
    }
  }
  return null;
}

describe('the verification of encoded chunks', () => {
  let moving: Source;
  before(async () => {
    moving = await sourceOf('moving.mp4', [...testVideo('640x64', 5, 12), ...tone('stereo', 12), ...QUICK_H264]);
    const video = moving.plan.chunks.filter(({ kind }) => kind === 'video');
    assert.deepEqual(
      video.map((chunk) => 'startFrame' in chunk && [chunk.startFrame, chunk.endFrame]),
      [
        [0, 20],
        [20, null],
      ],
    );
  });

  // The second chunk has 40 frames from 4 s on, in two segments.
  const secondThenFirst = Array.from({ length: 40 }, (_, frame) => (frame + 20) % 40).join(' ');
  const faults: [name: string, planted: PlantedFault, found: unknown][] = [
    ['black', { of: 0, filters: 'drawbox=c=black:t=fill' }, ['black', 'v360', 4]],
    ['black in a small size', { of: 1, filters: 'drawbox=c=black:t=fill' }, ['black', 'v240', 4]],
    [
      'black for some seconds',
      { of: 1, filters: "drawbox=c=black:t=fill:enable='between(n,6,16)'" },
      ['black', 'v240', 6],
    ],
    ['frozen', { of: 1, filters: 'loop=-1:1,trim=end_frame=40' }, ['frozen', 'v240', 6]],
    ['frozen from some frame on', { of: 1, filters: 'loop=-1:1:24,trim=end_frame=40' }, ['frozen', 'v240', 11]],
    ['later than the source', { of: 0, filters: 'tpad=start=10:start_mode=clone,trim=end_frame=40' }, 'refused'],
    ['of segments in the wrong order', { of: 0, filters: `shuffleframes=${secondThenFirst}` }, 'refused'],
    ['green', { of: 0, filters: 'lutyuv=u=0:v=0' }, ['discoloured', 'v360', 4]],
    [
      'garbled',
      { of: 0, filters: 'shufflepixels=m=block:width=40:height=40,format=yuv420p' },
      ['different', 'v360', 4],
    ],
    ['too short', { of: 0, filters: 'trim=end_frame=38' }, ['incomplete', 'v360', 11.6]],
  ];
  for (const [name, planted, found] of casesOf(faults, 1)) {
    it(`refuses pictures that are ${name}`, async () => {
      const fault = await faultOf(moving, 'video', [1], faultyRunner(runner, planted));
      if (found === 'refused') assert.ok(fault !== null && fault[1] === 'v360', `${fault}`);
      else assert.deepEqual(fault, found);
    });
  }

  const silences: [name: string, filters: string, found: unknown][] = [
    ['silent', 'volume=0', ['silent', 'audio']],
    ['silent for two seconds', "volume=0:enable='between(t,5,7.2)'", ['silent', 'audio']],
    ['silent on one side', 'pan=stereo|c0=c0|c1=0*c1', ['silent', 'audio']],
    ['another', 'aeval=random(0)|random(1),aformat=channel_layouts=stereo', ['different', 'audio']],
  ];
  for (const [name, filters, found] of casesOf(silences, 1)) {
    it(`refuses sound that is ${name}`, async () => {
      const fault = await faultOf(moving, 'audio', [0], faultyRunner(runner, { of: 'sound', filters }));
      assert.deepEqual(fault?.slice(0, 2), found);
    });
  }

  it('refuses segments that cannot be decoded', async () => {
    const damaged: Runner = {
      ...runner,
      async run(tool, args, options) {
        if (args.includes('explode')) await damage(join(options.cwd ?? '', 'v360.segments.mp4'));
        return runner.run(tool, args, options);
      },
    };
    assert.deepEqual(await faultOf(moving, 'video', [0], damaged), ['unreadable', 'v360', 0]);
  });

  const lavfi = (...graphs: string[]) => graphs.flatMap((graph) => ['-f', 'lavfi', '-i', graph]);
  const at = (from: number, to: number) => `enable='between(t,${from},${to})'`;
  const sources: [name: string, args: readonly string[]][] = [
    ['that are black and silent', lavfi('color=black:s=640x64:r=5:d=9', 'anullsrc=d=9')],
    ['that stand still', lavfi('testsrc2=s=640x64:r=1/10:d=10,fps=5', 'sine=d=9,volume=-80dB')],
    [
      'that are black and silent for some seconds',
      [...lavfi(`testsrc2=s=640x64:r=5:d=9,drawbox=c=black:t=fill:${at(3, 6)}`, `sine=d=9,volume=0:${at(3, 6)}`)],
    ],
    ['of noise', lavfi('color=gray:s=640x64:r=5:d=9,noise=alls=100:allf=t', 'anoisesrc=d=9')],
    ['that flash', lavfi("color=white:s=640x64:r=5:d=9,eq=brightness='-mod(n,2)':eval=frame")],
    ['that fade', lavfi('testsrc2=s=640x64:r=5:d=9,fade=in:0:20,fade=out:25:20')],
    ['shorter than a segment', lavfi('testsrc2=s=64x36:r=25:d=0.4', 'sine=d=0.4')],
    ['with 60 frames per second', lavfi('testsrc2=s=1280x64:r=60:d=9')],
    ['one pixel wide', [...lavfi('testsrc2=s=2x90:r=25:d=1')]],
  ];
  for (const [name, args] of casesOf(sources, 1)) {
    it(`accepts sources ${name}`, async () => {
      const source = await sourceOf('source.mp4', [...args, ...QUICK_H264, '-c:a', 'aac', '-shortest']);
      assert.equal(await faultOf(source, 'video', [0, 1, 2], runner), null);
      assert.equal(await faultOf(source, 'audio', [0], runner), null);
    });
  }
});
