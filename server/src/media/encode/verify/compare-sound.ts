/** Samples of a frame that is compared: 21 ms. */
export const FRAME_SAMPLES = 1024;
/** Of so many frames, one is compared: two in a second. */
export const SOUND_STEP = 24;

/** ffmpeg filters that keep the frames that are compared. Pure. */
export function comparedSound(): string {
  return `asetnsamples=n=${FRAME_SAMPLES},aselect='not(mod(n,${SOUND_STEP}))',aformat=sample_fmts=s16`;
}

/** Frames of sound in 16 bits, channels interleaved, and what they were made from. */
export interface ComparedSound {
  /** Counted from the start of the track. */
  readonly frame: number;
  readonly staged: Int16Array;
  readonly encoded: Int16Array;
}

export interface SoundFault {
  readonly fault: 'silent' | 'different';
  readonly frame: number;
  /** For the log. */
  readonly value: number;
}

/** -50 dBFS: certainly heard. */
const AUDIBLE = 32_768 * 10 ** (-50 / 20);
/** -30 dB: lost. */
const LOST_SHARE = 10 ** (-30 / 20);
/** Silent frames in a row: 1.5 s. */
const SILENT_FRAMES = 3;
/** The channel of 5.1 of which encoders keep only what is below 120 Hz. */
const LOW_FREQUENCIES = 3;
/** Correlation of what is compared of a segment; other sound has none. */
const LEAST_CORRELATION = 0.2;

/** Compares frames of a track with those it was made from, channel by channel, segment by segment. Pure. */
export function findSoundFault(segments: readonly (readonly ComparedSound[])[], channels: number): SoundFault | null {
  for (let channel = 0; channel < channels; channel += 1) {
    if (channels >= 6 && channel === LOW_FREQUENCIES) continue;
    const silent = findSilence(segments.flat(), channel, channels);
    if (silent) return silent;
  }
  for (const frames of segments) {
    const correlation = correlationOf(frames);
    const [first] = frames;
    if (first && correlation !== null && correlation < LEAST_CORRELATION)
      return { fault: 'different', frame: first.frame, value: correlation };
  }
  return null;
}

function findSilence(frames: readonly ComparedSound[], channel: number, channels: number): SoundFault | null {
  let silent = 0;
  for (const { frame, staged, encoded } of frames) {
    const level = levelOf(staged, channel, channels);
    if (level < AUDIBLE) continue;
    const kept = levelOf(encoded, channel, channels);
    silent = kept < LOST_SHARE * level ? silent + 1 : 0;
    if (silent === SILENT_FRAMES) return { fault: 'silent', frame, value: kept };
  }
  return null;
}

function levelOf(samples: Int16Array, channel: number, channels: number): number {
  let squares = 0;
  for (let at = channel; at < samples.length; at += channels) squares += (samples[at] ?? 0) ** 2;
  return Math.sqrt(squares / FRAME_SAMPLES);
}

/** Null where hardly anything is heard. */
function correlationOf(frames: readonly ComparedSound[]): number | null {
  let [staged, encoded, products, count] = [0, 0, 0, 0];
  for (const pair of frames) {
    for (const [at, sample] of pair.staged.entries()) {
      const other = pair.encoded[at] ?? 0;
      staged += sample ** 2;
      encoded += other ** 2;
      products += sample * other;
    }
    count += pair.staged.length;
  }
  return count === 0 || staged / count < AUDIBLE ** 2 ? null : products / Math.sqrt(staged * Math.max(1, encoded));
}
