import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createRunner, openUpscaler, type Runner, UPSCALE_MODELS, type Upscaler } from '../server/src/media/index.ts';
import { drawGraphics } from './upscale/graphics.ts';
import { type ClipResult, measureClip, measurePicture, type PictureResult } from './upscale/measure.ts';
import { reportClips, reportPictures } from './upscale/report.ts';
import { readSources, type Source } from './upscale/sources.ts';
import { measureSpeed } from './upscale/speed.ts';

const HELP = `npm run bench:upscale -- FOLDER [--clips] [--crf 23,28] [--factor 2|4] [--model FILE.onnx] [--frames 48]
    [--shave 2] [--graphics]
npm run bench:upscale -- --speed

FOLDER has pictures and clips; --clips leaves the pictures out, --graphics adds clips that are drawn. Each is made
smaller by bicubic resampling, with --crf also encoded by x264, enlarged, and compared with the original, without
--shave pixels on each side: by default the factor. Clips are enlarged as the gate decides, too.`;

/**
 * What the upscaler gains over bicubic enlargement as Pillow does it, with Lanczos beside it; with `--speed`, the CPU
 * time of each model against the reference graph in the same run.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      clips: { type: 'boolean', default: false },
      graphics: { type: 'boolean', default: false },
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
  const [factor, frames] = [Number(values.factor), Number(values.frames)];
  const shave = Number(values.shave ?? factor);
  const qualities = values.crf === undefined ? [null] : values.crf.split(',').map(Number);
  const isWrong =
    qualities.some((crf) => crf !== null && !(crf >= 0 && crf <= 51)) || ![2, 4].includes(factor) || !(shave >= 0);
  if (folder === undefined || !existsSync(folder) || isWrong || !(frames >= 1)) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  for (const crf of qualities) {
    const passes = await openPasses(
      runner,
      values.model ?? UPSCALE_MODELS[crf === null ? 'clean' : 'compressed'],
      factor,
    );
    try {
      const pictures: PictureResult[] = [];
      const clips: ClipResult[] = [];
      for await (const source of sourcesOf(folder, { ...values, factor, frames }))
        if (source.isClip) clips.push(await measureClip(source, passes, { factor, crf, shave }));
        else pictures.push(await measurePicture(source, passes, { factor, crf, shave }));
      const what = `${crf === null ? 'clean' : `x264, CRF ${crf}`}, factor ${factor}, shave ${shave}`;
      if (pictures.length + clips.length === 0) throw new Error(`No pictures and no clips in ${folder}.`);
      if (pictures.length > 0) reportPictures(pictures, what);
      if (clips.length > 0) reportClips(clips, what);
    } finally {
      for (const upscaler of passes) await upscaler.close();
    }
  }
}

interface SourceOptions {
  readonly clips: boolean;
  readonly graphics: boolean;
  readonly factor: number;
  readonly frames: number;
}

async function* sourcesOf(folder: string, { clips, graphics, factor, frames }: SourceOptions): AsyncGenerator<Source> {
  for await (const source of readSources(folder, 2 * factor, frames)) if (source.isClip || !clips) yield source;
  if (graphics) for (const step of [2, 0]) yield drawGraphics(frames, step);
}

/** The models that make the factor, one after the other: what the first one has enlarged is clean. */
async function openPasses(runner: Runner, first: string, factor: number): Promise<Upscaler[]> {
  const passes = [await openUpscaler(runner, first)];
  for (let reached = passes[0]!.facts.factor; reached < factor; reached *= 2)
    passes.push(await openUpscaler(runner, UPSCALE_MODELS.clean));
  return passes;
}
