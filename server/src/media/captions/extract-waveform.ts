import { createReadStream } from 'node:fs';
import type { Runner } from '../runner.ts';
import { decodeSound, type SoundInput } from './decode-sound.ts';
import { PeakMeter, pairInterval, WAVEFORM_RATE, type Waveform } from './waveform.ts';

/**
 * The waveform of a fragmented MP4 of sound, decoded in the sandbox.
 * @throws AppError TRANSCODE_FAILED where the file cannot be decoded; RunError `aborted` when it was stopped.
 */
export async function extractWaveform(runner: Runner, input: SoundInput): Promise<Waveform> {
  const path = await decodeSound(runner, input, WAVEFORM_RATE);
  const millisecondsPerPair = pairInterval(input.durationMs);
  const meter = new PeakMeter(millisecondsPerPair);
  for await (const chunk of createReadStream(path)) {
    input.signal.throwIfAborted();
    meter.push(chunk as Buffer);
  }
  return { millisecondsPerPair, pairs: meter.finish() };
}
