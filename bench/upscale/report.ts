import { table } from '../results.ts';
import type { ClipResult, PictureResult } from './measure.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const decibels = (value: number) => value.toFixed(2);

/** Prints PSNR and SSIM of pictures. */
export function reportPictures(results: readonly PictureResult[], what: string): void {
  const gain = ({ likeness }: PictureResult) => likeness.model.psnr - likeness.bicubic.psnr;
  const head = ['PSNR', 'bicubic', 'Lanczos', 'model', 'gain', 'Lanczos', 'SSIM bicubic', 'Lanczos', 'model'];
  const valuesOf = (result: PictureResult) => {
    const { bicubic, lanczos, model } = result.likeness;
    const psnr = [bicubic.psnr, lanczos.psnr, model.psnr];
    return [...psnr, gain(result), lanczos.psnr - bicubic.psnr, bicubic.ssim, lanczos.ssim, model.ssim];
  };
  const spelled = (values: readonly number[]) => values.map((value, at) => value.toFixed(at < 5 ? 2 : 4));
  const rows = results.map((result) => [result.name, ...spelled(valuesOf(result))]);
  const means = valuesOf(results[0]!).map((_, at) => mean(results.map((result) => valuesOf(result)[at]!)));
  console.log(`\n${what}, luma, ${results.length} pictures\n`);
  console.log(table([head, ...rows, ['mean', ...spelled(means)]]));
  const worst = results.reduce((least, each) => (gain(each) < gain(least) ? each : least));
  const ahead = results.filter(({ likeness: { model, lanczos } }) => model.psnr > lanczos.psnr).length;
  console.log(`\nworst gain ${decibels(gain(worst))} dB (${worst.name}); above Lanczos in ${ahead}`);
}

/** Prints gains of clips over bicubic enlargement, and how much they flicker beside it. */
export function reportClips(results: readonly ClipResult[], what: string): void {
  const head = ['clip', 'frames', 'PSNR bicubic', 'gain gated', 'ungated', 'Lanczos', 'weight'];
  const unrest = ['flicker bicubic', 'gated', 'ratio', 'ungated'];
  const rows = results.map(({ name, frames, psnr, unrest: changes, weight }) => [
    ...[name, `${frames}`, decibels(psnr.bicubic)],
    ...[psnr.gated, psnr.model, psnr.lanczos].map((each) => decibels(each - psnr.bicubic)),
    ...[weight.toFixed(2), changes.bicubic.toFixed(3), changes.gated.toFixed(3)],
    ...[ratio(changes.gated, changes.bicubic), ratio(changes.model, changes.bicubic)],
  ]);
  console.log(`\n${what}, luma, ${results.length} clips\n`);
  console.log(table([[...head, ...unrest], ...rows]));
  const gain = ({ psnr }: ClipResult) => psnr.gated - psnr.bicubic;
  const worst = results.reduce((least, each) => (gain(each) < gain(least) ? each : least));
  const restless = Math.max(...results.map(({ unrest: { gated, bicubic } }) => (bicubic === 0 ? 1 : gated / bicubic)));
  console.log(
    `\nwith the gate: mean ${decibels(mean(results.map(gain)))} dB, worst ${decibels(gain(worst))} dB ` +
      `(${worst.name}), most flicker ${restless.toFixed(3)} of that of bicubic`,
  );
}

function ratio(value: number, base: number): string {
  return base === 0 ? '-' : (value / base).toFixed(3);
}
