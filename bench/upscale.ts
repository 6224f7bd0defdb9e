import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRunner, openUpscaler, type Runner, UPSCALE_MODELS, type Upscaler } from '../server/src/media/index.ts';
import { treeCpuMs } from '../server/src/media/sandbox/watch.ts';
import { referenceModel } from '../server/src/media/testing.ts';
import { median, table } from './results.ts';
import { compare, type Likeness } from './upscale/compare.ts';
import { cropped, type Luma, resample } from './upscale/resample.ts';
import { readSources, type Source, throughX264 } from './upscale/sources.ts';

const HELP = `npm run bench:upscale -- FOLDER [--crf 23,28] [--factor 2|4] [--model FILE.onnx] [--frames 48]
    [--shave 2]
npm run bench:upscale -- --speed

FOLDER has pictures and clips. Each is made smaller by bicubic resampling, with --crf also encoded by x264, enlarged,
and compared with the original, without --shave pixels on each side: by default the factor.`;
const SPEED = { width: 854, height: 480, rounds: 7, frames: 5 };

/** PSNR and SSIM of luma, by the three ways of enlarging. */
interface Result {
  readonly name: string;
  readonly bicubic: Likeness;
  readonly lanczos: Likeness;
  readonly model: Likeness;
}

/**
 * What the upscaler gains over bicubic enlargement as Pillow does it, with Lanczos beside it; with `--speed`, the CPU
 * time of each model against the reference graph in the same run.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      crf: { type: 'string' },
      factor: { type: 'string', default: '2' },
      model: { type: 'string' },
      frames: { type: 'string', default: '48' },
      shave: { type: 'string' },
      speed: { type: 'boolean', default: false },
    },
  });
  const runner = await createRunner();
  if (values.speed) return measureSpeed(runner);
  const [folder] = positionals;
  const factor = Number(values.factor);
  const shave = Number(values.shave ?? factor);
  const qualities = values.crf === undefined ? [null] : values.crf.split(',').map(Number);
  const isWrong =
    qualities.some((crf) => crf !== null && !(crf >= 0 && crf <= 51)) || ![2, 4].includes(factor) || !(shave >= 0);
  if (folder === undefined || !existsSync(folder) || isWrong || !(Number(values.frames) >= 1)) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  for (const crf of qualities) {
    const first = values.model ?? UPSCALE_MODELS[crf === null ? 'clean' : 'compressed'];
    const passes = await openPasses(runner, first, factor);
    try {
      const results: Result[] = [];
      for await (const source of readSources(folder, 2 * factor, Number(values.frames)))
        results.push(await measure(source, passes, { factor, crf, shave }));
      if (results.length === 0) throw new Error(`No pictures and no clips in ${folder}.`);
      report(results, `${crf === null ? 'clean' : `x264, CRF ${crf}`}, factor ${factor}, shave ${shave}`);
    } finally {
      for (const upscaler of passes) await upscaler.close();
    }
  }
}

function shaved(picture: Luma, pixels: number): Luma {
  const [width, height] = [picture.width - 2 * pixels, picture.height - 2 * pixels];
  return cropped(picture, { left: pixels, top: pixels, width, height });
}

/** The models that make the factor, one after the other: what the first one has enlarged is clean. */
async function openPasses(runner: Runner, first: string, factor: number): Promise<Upscaler[]> {
  const passes = [await openUpscaler(runner, first)];
  for (let reached = passes[0]!.facts.factor; reached < factor; reached *= 2)
    passes.push(await openUpscaler(runner, UPSCALE_MODELS.clean));
  return passes;
}

interface Degradation {
  readonly factor: number;
  /** Of x264; null: not encoded. */
  readonly crf: number | null;
  /** Pixels of the original on each side that are not compared, as usual for super-resolution. */
  readonly shave: number;
}

async function measure(source: Source, passes: readonly Upscaler[], { factor, crf, shave }: Degradation) {
  const small = source.frames.map(({ width, height, pixels }) =>
    resample({ width, height, pixels }, { width: width / factor, height: height / factor }, 'bicubic'),
  );
  const given = crf === null ? small : await throughX264(small, crf);
  const found: Result[] = [];
  for (const [at, frame] of given.entries()) {
    const original = source.frames[at]!; // x264 gives as many frames as it gets.
    const likeness = (made: Luma) => compare(shaved(original, shave), shaved(made, shave));
    found.push({
      name: source.name,
      bicubic: likeness(resample(frame, original, 'bicubic')),
      lanczos: likeness(resample(frame, original, 'lanczos')),
      model: likeness(await enlarged(frame, passes)),
    });
  }
  return meanOf(source.name, found);
}

async function enlarged(frame: Luma, passes: readonly Upscaler[]): Promise<Luma> {
  let picture = frame;
  for (const upscaler of passes) picture = await enlargeLuma(upscaler, picture);
  return picture;
}

/** A model for RGB gets grey, and its green is taken as luma. */
async function enlargeLuma(upscaler: Upscaler, { width, height, pixels }: Luma): Promise<Luma> {
  if (upscaler.facts.channels === 1) return upscaler.enlarge({ width, height, pixels });
  const made = await upscaler.enlarge({ width, height, pixels: Buffer.concat([pixels, pixels, pixels]) });
  const plane = made.width * made.height;
  return { width: made.width, height: made.height, pixels: made.pixels.subarray(plane, 2 * plane) };
}

function meanOf(name: string, results: readonly Result[]): Result {
  const mean = (way: 'bicubic' | 'lanczos' | 'model', what: keyof Likeness) =>
    results.reduce((sum, result) => sum + result[way][what], 0) / results.length;
  const likeness = (way: 'bicubic' | 'lanczos' | 'model') => ({ psnr: mean(way, 'psnr'), ssim: mean(way, 'ssim') });
  return { name, bicubic: likeness('bicubic'), lanczos: likeness('lanczos'), model: likeness('model') };
}

function report(results: readonly Result[], what: string): void {
  const gain = ({ model, bicubic }: Result) => model.psnr - bicubic.psnr;
  const cells = (result: Result) => [
    result.name,
    ...[result.bicubic, result.lanczos, result.model].map(({ psnr }) => psnr.toFixed(2)),
    gain(result).toFixed(2),
    (result.lanczos.psnr - result.bicubic.psnr).toFixed(2),
    ...[result.bicubic, result.lanczos, result.model].map(({ ssim }) => ssim.toFixed(4)),
  ];
  const head = ['PSNR', 'bicubic', 'Lanczos', 'model', 'gain', 'Lanczos', 'SSIM bicubic', 'Lanczos', 'model'];
  console.log(`\n${what}, luma, ${results.length} pictures and clips\n`);
  console.log(table([head, ...results.map(cells), cells(meanOf('mean', results))]));
  const worst = results.reduce((least, each) => (gain(each) < gain(least) ? each : least));
  const ahead = results.filter(({ model, lanczos }) => model.psnr > lanczos.psnr).length;
  console.log(`\nworst gain ${gain(worst).toFixed(2)} dB (${worst.name}); above Lanczos in ${ahead}`);
}

/** CPU time of a frame of 480p, with the transfer: medians of rounds in which the models alternate. */
async function measureSpeed(runner: Runner): Promise<void> {
  const { width, height, rounds, frames } = SPEED;
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const reference = join(folder, 'reference.onnx');
  await writeFile(reference, referenceModel());
  const upscalers: { name: string; upscaler: Upscaler; cpuMs: number[] }[] = [];
  try {
    for (const [name, path] of Object.entries({ reference, ...UPSCALE_MODELS }))
      upscalers.push({ name, upscaler: await openUpscaler(runner, path), cpuMs: [] });
    const pixels = grainyPicture(width, height);
    for (let round = 0; round <= rounds; round += 1)
      for (const { upscaler, cpuMs } of upscalers) {
        const before = treeCpuMs(process.pid) ?? 0;
        for (let frame = 0; frame < frames; frame += 1) await upscaler.enlarge({ width, height, pixels });
        const spentMs = (treeCpuMs(process.pid) ?? 0) - before;
        if (round > 0) cpuMs.push(spentMs / frames); // The first one is for warming up.
      }
    const base = median(upscalers[0]?.cpuMs ?? []);
    const rows = upscalers.map(({ name, cpuMs }) => {
      const ms = median(cpuMs);
      return [name, ms.toFixed(0), (ms / base).toFixed(2)];
    });
    console.log(table([[`${width}x${height} to ${2 * width}x${2 * height}`, 'CPU-ms', 'ratio'], ...rows]));
  } finally {
    for (const { upscaler } of upscalers) await upscaler.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shades with grain: PReLU takes less time where its sign is easy to predict. */
function grainyPicture(width: number, height: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: width * height }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    return 60 + 100 * ((at % width) / width) + (state % 40);
  });
}
