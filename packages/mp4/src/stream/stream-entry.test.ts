import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { bufferSource } from '../byte-source.ts';
import { readH264Sps } from '../codecs/h264-sps.ts';
import { readMovie } from '../movie.ts';
import { readSampleEntries } from '../sample-entry.ts';
import { aacStreamEntry, av1StreamEntry, h264StreamEntry, hevcStreamEntry } from './stream-entry.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** Of x264: High profile, 1280 by 720, and 1920 by 1080, which is cropped from 1088 lines. */
const HD_READY = bytes('67 64001f ac d9 40 50 05 bb 01 10 00 00 03 00 10 00 00 03 03 c0 f1 83 19 60');
const FULL_HD = bytes('67 640028 ac d9 40 78 02 27 e5 c0 44 00 00 03 00 04 00 00 03 00 f0 3c 60 c6 58');
const PPS = bytes('68 eb e3 cb 22 c0');

/** A decoder configuration with one set of each kind. */
function configuration(sps: Buffer): Buffer {
  const head = Buffer.from([1, sps[1] ?? 0, sps[2] ?? 0, sps[3] ?? 0, 0xff, 0xe1, 0, sps.length]);
  return Buffer.concat([head, sps, Buffer.from([1, 0, PPS.length]), PPS]);
}

describe('sample entries of a stream', () => {
  for (const [what, sps, codecs, width, height] of [
    ['720p', HD_READY, 'avc1.64001f', 1280, 720],
    ['1080p, cropped from 1088 lines', FULL_HD, 'avc1.640028', 1920, 1080],
  ] as const)
    it(`describe H.264 in ${what}, by its sequence parameter set`, () => {
      const { bytes: entry, ...described } = h264StreamEntry(configuration(sps));
      assert.deepEqual(described, {
        ...{ kind: 'h264', codecs, width, height },
        ...{ chromaFormat: 1, bitDepth: 8, interlaced: false, pixelAspect: [1, 1], lengthBytes: 4 },
      });
      assert.deepEqual([entry.readUInt32BE(0), entry.toString('latin1', 4, 8)], [entry.length, 'avc1']);
      assert.ok(entry.includes(configuration(sps)));
    });

  it('describe AAC by its configuration', () => {
    const { bytes: entry, ...described } = aacStreamEntry(bytes('1190'));
    assert.deepEqual(described, {
      ...{ kind: 'aac', codecs: 'mp4a.40.2', objectType: 2, sampleRate: 48_000, channels: 2 },
      ...{ sbr: 'none', parametricStereo: false },
    });
    assert.equal(
      entry.toString('hex'),
      [
        '0000004b 6d703461 0000000000000001 0000000000000000 0002 0010 00000000 bb800000',
        '00000027 65736473 00000000 03 19 0000 00 04 11 40 15 000000 00000000 00000000 05 02 1190 06 01 02',
      ]
        .join('')
        .replaceAll(' ', ''),
    );
  });

  for (const [what, make] of [
    ['a configuration of H.264 that is too short', () => h264StreamEntry(bytes('0164001fffe1'))],
    ['one whose set ends early', () => h264StreamEntry(configuration(HD_READY).subarray(0, 20))],
    ['a configuration of AAC of one byte', () => aacStreamEntry(bytes('11'))],
  ] as const)
    it(`refuse ${what}`, () => {
      assert.throws(make, { name: 'Mp4Error' });
    });
});

describe('sample entries of a stream, of what ffmpeg encodes', () => {
  for (const [kind, codec, args, make] of [
    ['hevc', 'libx265', ['-tag:v', 'hvc1', '-x265-params', 'log-level=none'], hevcStreamEntry],
    ['av1', 'libaom-av1', ['-cpu-used', '8'], av1StreamEntry],
    ['h264', 'libx264', [], h264StreamEntry],
  ] as const)
    it(`have the size, the codec and the bytes of the file: ${codec}`, THOROUGH, async (t) => {
      const { stdout: encoders } = await promisify(execFile)('ffmpeg', ['-hide_banner', '-encoders']);
      if (!encoders.includes(` ${codec} `)) return t.skip(`this ffmpeg has no ${codec}`);
      const folder = await mkdtemp(join(tmpdir(), 'stream-entry-'));
      t.after(() => rm(folder, { recursive: true }));
      const path = join(folder, 'video.mp4');
      // 270 lines are cropped from 272 by codecs of blocks.
      const source = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=482x270:r=25:d=0.2', '-pix_fmt', 'yuv420p'];
      await promisify(execFile)('ffmpeg', [...source, '-c:v', codec, ...args, path]);
      const movie = (await readMovie(bufferSource(await readFile(path)))) ?? assert.fail('no movie');
      const [track] = movie.tracks;
      const [entry] = track ? readSampleEntries(movie, track) : [];
      assert.ok(entry?.kind === kind);
      const name = { hevc: 'hvcC', av1: 'av1C', h264: 'avcC' }[kind];
      const at = entry.bytes.indexOf(name) + 4;
      const configuration = entry.bytes.subarray(at, at - 8 + entry.bytes.readUInt32BE(at - 8));
      const { bytes: _, ...made } = make(configuration);
      const { bytes: __, ...read } = entry;
      assert.deepEqual(made, read);
      assert.deepEqual([made.width, made.height], [482, 270]);
    });

  it('are refused without the size of pictures', () => {
    for (const make of [hevcStreamEntry, av1StreamEntry])
      assert.throws(() => make(Buffer.alloc(30)), { name: 'Mp4Error' });
  });
});

describe('a sequence parameter set', () => {
  it('has the size that is shown, and the shape of pixels', () => {
    const { width, height, pixelAspect } = readH264Sps(FULL_HD);
    assert.deepEqual([width, height, pixelAspect], [1920, 1080, [1, 1]]);
  });
});
