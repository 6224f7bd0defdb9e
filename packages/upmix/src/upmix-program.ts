/**
 * The program of the stage that upmixes: reads samples as 32-bit floats, channels interleaved, from standard input.
 * `upmix SOURCE LAYOUT GAIN` writes those of the result to standard output; `measure SOURCE LAYOUT` writes its figures
 * as one line of JSON.
 */
import { once } from 'node:events';
import { CHANNELS, type UpmixLayout, type UpmixSource } from './layouts.ts';
import { UpmixMeter } from './measure-upmix.ts';
import { Upmixer } from './upmixer.ts';

const [command, source, layout, gain] = process.argv.slice(2) as [string, UpmixSource, UpmixLayout, string | undefined];

/** Standard input as samples; a part of one at the end is left out. */
async function* samples(): AsyncGenerator<Float32Array> {
  const size = 4 * CHANNELS[source].length;
  let rest: Uint8Array = new Uint8Array(0);
  for await (const bytes of process.stdin as AsyncIterable<Buffer>) {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const end = all.length - (all.length % size);
    rest = all.subarray(end);
    // Copied to where floats may begin.
    if (end > 0) yield new Float32Array(new Uint8Array(all.subarray(0, end)).buffer);
  }
}

async function write(block: Float32Array): Promise<void> {
  if (block.length === 0) return;
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
}

if (command === 'measure') {
  const meter = new UpmixMeter(source, layout);
  for await (const block of samples()) meter.push(block);
  process.stdout.write(`${JSON.stringify(meter.finish())}\n`);
} else {
  const upmixer = new Upmixer({ source, layout, gain: Number(gain) });
  for await (const block of samples()) await write(upmixer.push(block));
  await write(upmixer.finish());
}
