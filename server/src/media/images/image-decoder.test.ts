import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SANDBOX_GID, SANDBOX_UIDS } from '@reelgraph/sandbox';
import sharp from 'sharp';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { createRunner } from '../runner.ts';
import { testRunner } from '../testing.ts';
import { DECODER_PROGRAM } from './decoder-files.ts';
import { ImageDecoder } from './image-decoder.ts';
import { ImageError, type ImageErrorReason } from './image-error.ts';
import type { ImageFacts, RenderPlan, SourceImage } from './image-process.ts';
import { openImageDecoder } from './open-image-decoder.ts';

const LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 0, wallMs: Number.POSITIVE_INFINITY };
const JPEG: RenderPlan = { width: 8, height: 6, outputs: [{ format: 'JPEG', width: 8, height: 6 }] };

/** The start of programs that speak the decoder's protocol. */
const PROTOCOL = `
import { readSync, writeSync } from 'node:fs';
const FRAME = { READY: 1, FACTS: 2, OUTPUT: 3, FAILURE: 4 };
function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = readSync(0, bytes, at, length - at);
    if (count === 0) process.exit(0);
    at += count;
  }
  return bytes;
}
const message = () => JSON.parse(read(read(4).readUInt32BE(0)).toString());
function send(kind, payload, length = payload.length) {
  const header = Buffer.alloc(5); header[0] = kind; header.writeUInt32BE(length, 1);
  for (const bytes of [header, Buffer.from(payload)])
    for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}
function facts(width, height) {
  const bytes = Buffer.alloc(9); bytes.writeUInt32BE(width, 0); bytes.writeUInt32BE(height, 4);
  send(FRAME.FACTS, bytes);
}
const image = () => read(message().sizeBytes);
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex');
`;

/** Whether the sandbox user, which the partial sandbox uses under root, can read this file. */
function othersMayRead(path: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const user = ['--reuid', `${SANDBOX_UIDS.first}`, '--regid', `${SANDBOX_GID}`, '--clear-groups', '--'];
  return spawnSync('setpriv', [...user, 'test', '-r', path]).status === 0;
}

describe('image decoder', () => {
  let folder: string;
  let photo: SourceImage;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-decoder-'));
    photo = { path: join(folder, 'photo.jpg'), format: 'jpeg' };
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#c81e1e' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(photo.path);
  });
  after(() => rm(folder, { recursive: true }));

  const errors: ImageError[] = [];
  const onError = (error: ImageError) => void errors.push(error);
  /** A decoder that runs another program, in the same sandbox. */
  async function pretending(lines: string, limits: { wallMs?: number; startMs?: number } = {}): Promise<ImageDecoder> {
    const program = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
    await writeFile(program, PROTOCOL + lines);
    return new ImageDecoder({
      onError,
      withHeicAsJpeg: () => assert.fail('no HEIC here'),
      limits: {
        maxBytes: 10_000,
        maxPixels: 1_000_000,
        operationMs: 10_000,
        wallMs: 20_000,
        startMs: 20_000,
        ...limits,
      },
      start: () => testRunner.startProgram(process.execPath, [program], { limits: LIMITS, readOnly: [program] }),
    });
  }
  const failsWith = (reason: ImageErrorReason, detail: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ImageError, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, detail);
    return true;
  };

  it('renders the requested outputs of the displayed image', async () => {
    const decoder = openImageDecoder(testRunner, { onError });
    try {
      let seen: ImageFacts | null = null;
      const [jpeg, png, webp, avif, rgb] = await decoder.convert(photo, (facts) => {
        seen = facts;
        const formats = ['JPEG', 'PNG', 'WEBP', 'AVIF', 'RGB'] as const;
        return { width: 30, height: 40, outputs: formats.map((format) => ({ format, width: 15, height: 20 })) };
      });
      assert.deepEqual(seen, { width: 30, height: 40, hasAlpha: false });
      for (const [bytes, format] of [
        [jpeg, 'jpeg'] as const,
        [png, 'png'] as const,
        [webp, 'webp'] as const,
        [avif, 'heif'] as const,
      ]) {
        const found = await sharp(bytes).metadata();
        assert.deepEqual([found.format, found.width, found.height, found.exif], [format, 15, 20, undefined]);
      }
      assert.equal(rgb?.length, 15 * 20 * 3);
      assert.ok(Math.abs((rgb?.[0] ?? 0) - 0xc8) < 4 && Math.abs((rgb?.[1] ?? 0) - 0x1e) < 4);
    } finally {
      await decoder.close();
    }
  });

  for (const method of ['bubblewrap', 'unshare', 'partial'] as const) {
    it(`works in the sandbox method ${method}`, async (t) => {
      const runner = await createRunner({ methods: [method], missingTools: 'when-run' });
      if (runner.sandbox.method !== method) return t.skip('not possible on this machine');
      if (method === 'partial' && !othersMayRead(DECODER_PROGRAM))
        return t.skip('another user cannot read this checkout');
      const decoder = openImageDecoder(runner, { onError });
      const [avif] = await decoder.convert(photo, () => ({
        width: 8,
        height: 6,
        outputs: [{ format: 'AVIF', width: 8, height: 6 }],
      }));
      assert.equal((await sharp(avif).metadata()).width, 8);
      await decoder.close();
    });
  }

  it('decodes no other format than the requested one', async () => {
    const decoder = openImageDecoder(testRunner, { onError });
    const png = join(folder, 'image.png');
    await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
      .png()
      .toFile(png);
    const svg = join(folder, 'drawing.svg');
    await writeFile(svg, '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>');
    for (const path of [png, svg])
      await assert.rejects(
        decoder.convert({ path, format: 'jpeg' }, () => JPEG),
        failsWith('damaged', /unsupported image format/),
      );
    assert.equal((await decoder.convert({ path: png, format: 'png' }, () => JPEG)).length, 1);
    await decoder.close();
  });

  it('has one spare process after an image, and none when closed', THOROUGH, async () => {
    const decoder = openImageDecoder(testRunner, { onError });
    for (let count = 0; count < 3; count += 1) await decoder.convert(photo, () => JPEG);
    await until(async () => (await decoderProcesses()).length === 1);
    await decoder.close();
    assert.deepEqual(await decoderProcesses(), []);
    await assert.rejects(
      decoder.convert(photo, () => JPEG),
      failsWith('unavailable', /stopping/),
    );
  });

  it('replaces a killed spare', async () => {
    const decoder = openImageDecoder(testRunner, { onError });
    await decoder.convert(photo, () => JPEG);
    await until(async () => (await decoderProcesses()).length === 1);
    for (const pid of await decoderProcesses()) process.kill(pid, 'SIGKILL');
    await until(() =>
      decoder
        .convert(photo, () => JPEG)
        .then(
          () => true,
          () => false,
        ),
    );
    await decoder.close();
  });

  it('uses a new process for each image, which ends before the next', async () => {
    const decoder = await pretending(`
      const self = 1 + Math.floor(Math.random() * 2 ** 31);
      send(FRAME.READY, '');
      for (let received = 1; ; received += 1) { image(); facts(self, received); message(); send(FRAME.OUTPUT, JPEG); }
    `);
    const seen: ImageFacts[] = [];
    const note = (facts: ImageFacts) => {
      seen.push(facts);
      return JPEG;
    };
    await Promise.all(['of A', 'of B', 'of A again', 'of C'].map(() => decoder.convert(photo, note)));
    assert.deepEqual(
      seen.map(({ height }) => height),
      [1, 1, 1, 1],
      'no process received a second image',
    );
    assert.equal(new Set(seen.map(({ width }) => width)).size, 4, 'four processes');
    await decoder.close();
  });

  const answersWith = (lines: string) =>
    `send(FRAME.READY, ''); image(); facts(8, 6); message(); ${lines} setInterval(() => {}, 1000);`;
  const HOSTILE: readonly (readonly [string, string, ImageErrorReason, RegExp])[] = [
    [
      'announces more than an output can have',
      answersWith('send(FRAME.OUTPUT, JPEG, 4_000_000_000);'),
      'protocol',
      /4000000000 bytes/,
    ],
    ['answers with a path', answersWith("send(FRAME.OUTPUT, '/etc/passwd');"), 'protocol', /is not JPEG/],
    [
      'answers with a page',
      answersWith("send(FRAME.OUTPUT, '<!doctype html><script>alert(1)</script>');"),
      'protocol',
      /is not JPEG/,
    ],
    ['answers in another format', answersWith("send(FRAME.OUTPUT, 'RIFFxxxxWEBPVP8 ');"), 'protocol', /is not JPEG/],
    ['answers with frames of another kind', answersWith("send(9, '');"), 'protocol', /kind 9 in place of 3/],
    [
      'answers with other facts',
      "send(FRAME.READY, ''); image(); send(FRAME.FACTS, 'width: 5'); image();",
      'protocol',
      /facts of 8 bytes/,
    ],
    ['reports an image without pixels', "send(FRAME.READY, ''); image(); facts(0, 5); image();", 'protocol', /0 by 5/],
    [
      'reports an error that is too long for a log',
      answersWith("send(FRAME.FAILURE, 'x'.repeat(5_000));"),
      'protocol',
      /5000 bytes/,
    ],
    [
      'answers with fewer outputs than were requested',
      "send(FRAME.READY, ''); image(); facts(8, 6); message();",
      'crashed',
      /without an answer/,
    ],
    ['writes before it is asked', "send(FRAME.OUTPUT, ''); image();", 'protocol', /kind 3 in place of 1/],
    ['aborts on the image', "send(FRAME.READY, ''); image(); process.abort();", 'crashed', /reported an error/],
    [
      'is killed over it twice',
      "send(FRAME.READY, ''); image(); process.kill(process.pid, 'SIGKILL');",
      'crashed',
      /killed twice/,
    ],
    ['ends as if killed (137)', "send(FRAME.READY, ''); image(); process.exit(137);", 'crashed', /./],
    ['cannot be started', 'process.exit(3);', 'unavailable', /exit code 3/],
  ];
  for (const [what, lines, reason, detail] of HOSTILE) {
    it(`rejects and ends a process that ${what}`, async () => {
      errors.length = 0;
      const decoder = await pretending(lines);
      await assert.rejects(
        decoder.convert(photo, () => JPEG),
        failsWith(reason, detail),
      );
      assert.equal(errors.length, 1, 'the operator is notified');
      await decoder.close();
    });
  }

  it('ends a process that responds endlessly or never, after the time limit', async () => {
    const drip = 'setInterval(() => writeSync(1, Buffer.from([3, 0, 0])), 5);';
    for (const lines of [
      `send(FRAME.READY, ''); image(); facts(8, 6); message(); ${drip}`,
      "send(FRAME.READY, ''); image(); setInterval(() => {}, 1000);",
      "send(FRAME.READY, ''); image(); facts(8, 6); send(FRAME.OUTPUT, JPEG, 90); setInterval(() => {}, 1000);",
    ]) {
      const decoder = await pretending(lines, { wallMs: 300 });
      await assert.rejects(
        decoder.convert(photo, () => JPEG),
        failsWith('timeout', /300 ms/),
      );
      await decoder.close();
    }
    const mute = await pretending('setInterval(() => {}, 1000);', { startMs: 300 });
    await assert.rejects(
      mute.convert(photo, () => JPEG),
      failsWith('unavailable', /300 ms/),
    );
    await mute.close();
  });

  it('refuses a file above its limit, and passes on errors of the caller', async () => {
    const decoder = await pretending(
      "send(FRAME.READY, ''); image(); facts(8, 6); message(); send(FRAME.OUTPUT, JPEG);",
    );
    const path = join(folder, 'large.jpg');
    await writeFile(path, Buffer.alloc(10_001));
    await assert.rejects(
      decoder.convert({ path, format: 'jpeg' }, () => JPEG),
      failsWith('pixel-limit', /10001 bytes/),
    );
    const refused = new Error('not this one');
    await assert.rejects(
      decoder.convert(photo, () => {
        throw refused;
      }),
      refused,
    );
    assert.equal((await decoder.convert(photo, () => JPEG)).length, 1);
    await decoder.close();
  });
});

/** Descendant processes that run the decoder, without their launchers. */
async function decoderProcesses(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    const command = /^\d+$/.test(name) ? await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '') : '';
    const [program, ...args] = command.split('\0');
    if (program === process.execPath && args.includes(DECODER_PROGRAM) && (await isOurs(Number(name))))
      found.push(Number(name));
  }
  return found;
}

async function isOurs(pid: number): Promise<boolean> {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true;
    const stat = await readFile(`/proc/${at}/stat`, 'latin1').catch(() => '');
    at = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  return false;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500 && !(await holds()); tries += 1) await sleep(20);
  assert.ok(await holds());
}
