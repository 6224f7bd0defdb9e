import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProbe } from '../inspect/probe.ts';
import { STAGES, type Stage } from '../stages/stages.ts';
import { type EncodePlan, planEncode } from './encode-plan.ts';
import { outputKeys } from './output-keys.ts';

const PICTURE = { width: 1280, height: 720, pix_fmt: 'yuv420p', r_frame_rate: '25/1', avg_frame_rate: '25/1' };
const SOUND = { channels: 2, sample_rate: '48000' };
const TIMES = { start_time: '0', duration: '60' };
const PROBE = {
  streams: [
    { index: 0, codec_type: 'video', codec_name: 'h264', ...PICTURE, ...TIMES },
    { index: 1, codec_type: 'audio', codec_name: 'aac', ...SOUND, ...TIMES },
  ],
  format: { duration: '60' },
};
const PLAN = planEncode(parseProbe(JSON.stringify(PROBE), 'mov'));
const TAG = '1000 "etag"';

/** The keys of all outputs, by chunk and rendition. */
function keysOf(plan: EncodePlan, tag = TAG, stages: readonly Stage[] = STAGES): Map<string, string> {
  const keys = plan.chunks.flatMap((chunk) =>
    outputKeys(plan, chunk, tag, stages).map(
      ({ folder, key }) => [`${chunk.kind} ${chunk.number} ${folder}`, key] as const,
    ),
  );
  return new Map(keys);
}

/** Which outputs have other keys in another plan. */
function changed(plan: EncodePlan, tag = TAG, stages: readonly Stage[] = STAGES): string[] {
  const before = keysOf(PLAN);
  return [...keysOf(plan, tag, stages)].filter(([name, key]) => before.get(name) !== key).map(([name]) => name);
}

const newer = (id: string) => STAGES.map((stage) => (stage.id === id ? { ...stage, version: 99 } : stage));
const video = [...keysOf(PLAN).keys()].filter((name) => name.startsWith('video'));

describe('keys of outputs', () => {
  it('differ by chunk and rendition', () => {
    const keys = keysOf(PLAN);
    assert.equal(keys.size, 5 * 5 + 1);
    assert.equal(new Set(keys.values()).size, keys.size);
  });

  it('are those of a plan that comes from the database', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, each]) => [key, reversed(each)]),
      );
    };
    assert.deepEqual(changed(reversed(PLAN) as EncodePlan), []);
  });

  it('of the sound change with a stage of the sound, and those of the picture with one of the picture', () => {
    assert.deepEqual(changed(PLAN, TAG, newer('downmix')), ['audio 0 audio']);
    assert.deepEqual(changed(PLAN, TAG, newer('scale')), video);
    assert.deepEqual(changed(PLAN, TAG, newer('deinterlace')), [], 'it is not applied');
  });

  it('of everything change with the file and with ffmpeg', () => {
    const all = [...video, 'audio 0 audio'];
    assert.deepEqual(changed(PLAN, '1000 "other"'), all);
    assert.deepEqual(changed({ ...PLAN, ffmpeg: '7.1' }), all);
  });

  it('of the chunks in which other segments begin change', () => {
    const cuts = (last: number) => planEncode(PLAN.facts, [0, 4, 8, 30, 34, last]);
    const before = keysOf(cuts(50));
    const after = [...keysOf(cuts(51))].filter(([name, key]) => before.get(name) !== key).map(([name]) => name);
    assert.ok(after.length > 0 && after.every((name) => !name.startsWith('video 0')), after.join());
  });

  it('do not depend on which other sizes are encoded', () => {
    assert.deepEqual(changed({ ...PLAN, only: ['v480'] }), []);
    assert.deepEqual([...keysOf({ ...PLAN, only: ['v480'] }).keys()].length, 5 + 1);
  });
});
