/** Synthetic scenes whose stems are known. All are seeded: the same samples each time. */

/** Two channels of the same length, at 48 kHz. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export interface Scene {
  readonly name: string;
  /** What is said, the same in both channels. */
  readonly dialogue: StereoSound;
  /** Sources beside the centre. */
  readonly panned: StereoSound;
  /** Sound from all around: as loud in both channels, and unrelated in them. */
  readonly ambience: StereoSound;
}

export const RATE = 48_000;

/** Numbers between 0 and 1, the same for each seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Noise with as much power in each octave, with a mean square of 1 or so (Paul Kellet's filter). */
export function pinkNoise(length: number, seed: number): Float32Array {
  const random = randomOf(seed);
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522];
  const states = poles.map(() => 0);
  return Float32Array.from({ length }, () => {
    const white = 2 * random() - 1;
    let sum = 0.5362 * white;
    for (let index = 0; index < poles.length; index += 1) {
      states[index] = poles[index]! * states[index]! + gains[index]! * white;
      sum += states[index]!;
    }
    return sum;
  });
}

/** A second-order resonance of unit gain at its frequency. */
function resonator(frequency: number, bandwidth: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * bandwidth) / RATE);
  const first = 2 * radius * Math.cos((2 * Math.PI * frequency) / RATE);
  const second = -radius * radius;
  const gain = (1 - radius) * Math.sqrt(1 - 2 * radius * Math.cos((4 * Math.PI * frequency) / RATE) + radius * radius);
  let [one, two] = [0, 0];
  return (input) => {
    const output = gain * input + first * one + second * two;
    two = one;
    one = output;
    return output;
  };
}

const VOWELS = [
  [730, 1090, 2440],
  [270, 2290, 3010],
  [300, 870, 2240],
  [530, 1840, 2480],
  [570, 840, 2410],
] as const;

/** Syllables of voiced and unvoiced sounds, with pauses between sentences. */
export function speech(length: number, seed: number, pitchHz = 120): Float32Array {
  const random = randomOf(seed);
  const samples = new Float32Array(length);
  let phase = 0;
  for (let at = Math.floor(0.2 * RATE); at < length; ) {
    const syllable = Math.floor((0.12 + 0.14 * random()) * RATE);
    const vowel = VOWELS[Math.floor(random() * VOWELS.length)]!;
    const formants = vowel.map((frequency, index) => resonator(frequency, 60 + 40 * index));
    const pitch = pitchHz * (0.85 + 0.3 * random());
    const glide = 0.9 + 0.2 * random();
    const hiss = resonator(4000 + 3000 * random(), 2500);
    const unvoiced = Math.floor((0.2 + 0.2 * random()) * syllable);
    for (let index = 0; index < syllable && at + index < length; index += 1) {
      const place = index / syllable;
      let value = 0;
      if (index < unvoiced) value = 0.5 * hiss(2 * random() - 1) * Math.sin((Math.PI * index) / unvoiced);
      phase += (pitch * (1 + (glide - 1) * place)) / RATE;
      // A pulse whose spectrum falls by 12 dB an octave.
      const pulse = phase >= 1 ? 1 : 0;
      phase -= Math.floor(phase);
      const open = phase < 0.6 ? phase * phase * (0.6 - phase) * 30 : 0;
      const excitation = 0.3 * open + 0.15 * pulse;
      const voiced = formants.reduce((sum, formant, number) => sum + formant(excitation) / (1 + number), 0);
      const envelope = Math.min(1, index / 700, (syllable - index) / 1400);
      samples[at + index] = value + 6 * voiced * envelope;
    }
    at += syllable + Math.floor((random() < 0.2 ? 0.35 : 0.02) * RATE);
  }
  return normalized(samples, 0.1);
}

/** Notes of a plucked string. */
export function plucks(length: number, seed: number, lowestHz = 196): Float32Array {
  const random = randomOf(seed);
  const samples = new Float32Array(length);
  for (let at = 0; at < length; at += Math.floor((0.18 + 0.3 * random()) * RATE)) {
    const frequency = lowestHz * 2 ** (Math.floor(random() * 15) / 12);
    const partials = Math.min(14, Math.floor(9000 / frequency));
    for (let partial = 1; partial <= partials; partial += 1) {
      const step = (2 * Math.PI * frequency * partial) / RATE;
      const start = 2 * Math.PI * random();
      const decay = 2.5 + 1.2 * partial;
      const end = Math.min(length - at, RATE);
      for (let index = 0; index < end; index += 1)
        samples[at + index]! += (Math.exp((-decay * index) / RATE) * Math.sin(start + step * index)) / partial;
    }
  }
  return normalized(samples, 0.1);
}

/** Bursts of noise, as of a shaker. */
export function bursts(length: number, seed: number): Float32Array {
  const random = randomOf(seed);
  const samples = new Float32Array(length);
  for (let at = 0; at < length; at += Math.floor(0.25 * RATE)) {
    const end = Math.min(length - at, 0.1 * RATE);
    for (let index = 0; index < end; index += 1)
      samples[at + index] = (2 * random() - 1) * Math.exp((-60 * index) / RATE);
  }
  return normalized(samples, 0.05);
}

/** Scaled to this root of the mean square. */
export function normalized(samples: Float32Array, level: number): Float32Array {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return power === 0 ? samples : samples.map((sample) => (sample * level) / Math.sqrt(power));
}

/** -1 is left, 0 the centre, 1 right; the power stays the same. */
export function panned(samples: Float32Array, position: number): StereoSound {
  const angle = ((position + 1) * Math.PI) / 4;
  return { left: samples.map((x) => x * Math.cos(angle)), right: samples.map((x) => x * Math.sin(angle)) };
}

export function mixed(...sounds: readonly StereoSound[]): StereoSound {
  const add = (channel: 'left' | 'right') => {
    const sum = new Float32Array(sounds[0]?.[channel].length ?? 0);
    for (const sound of sounds)
      for (let index = 0; index < sum.length; index += 1) sum[index]! += sound[channel][index]!;
    return sum;
  };
  return { left: add('left'), right: add('right') };
}

function noiseAround(length: number, level: number, seed: number): StereoSound {
  return {
    left: normalized(pinkNoise(length, seed), level),
    right: normalized(pinkNoise(length, seed + 1), level),
  };
}

/** Echoes of a sound in a room: unrelated in both channels. */
export function reverberated(samples: Float32Array, seconds: number, level: number, seed: number): StereoSound {
  const channel = (own: number) => {
    const random = randomOf(own);
    const echoes = Array.from({ length: 220 }, () => {
      const time = 0.012 + seconds * random();
      return { delay: Math.floor(time * RATE), gain: Math.exp((-6.9 * time) / seconds) * (random() < 0.5 ? -1 : 1) };
    });
    const sum = new Float32Array(samples.length);
    for (const { delay, gain } of echoes)
      for (let index = delay; index < sum.length; index += 1) sum[index]! += gain * samples[index - delay]!;
    return normalized(sum, level);
  };
  return { left: channel(seed), right: channel(seed + 1) };
}

/** Scenes of so many seconds. */
export function scenes(seconds: number): Scene[] {
  const length = seconds * RATE;
  const silence = { left: new Float32Array(length), right: new Float32Array(length) };
  const scaled = (samples: Float32Array, gain: number) => samples.map((x) => x * gain);
  const voice = speech(length, 1);
  const guitar = scaled(plucks(length, 2), 0.6);
  return [
    {
      name: 'dialogue, guitar and street',
      dialogue: panned(voice, 0),
      panned: panned(scaled(guitar, 0.7), -0.8),
      ambience: noiseAround(length, 0.03, 10),
    },
    {
      name: 'dialogue in a street',
      dialogue: panned(voice, 0),
      panned: silence,
      ambience: noiseAround(length, 0.02, 10),
    },
    {
      name: 'dialogue and music',
      dialogue: panned(speech(length, 3, 190), 0),
      panned: mixed(panned(guitar, -1), panned(scaled(plucks(length, 4, 110), 0.6), 0.9)),
      ambience: noiseAround(length, 0.012, 20),
    },
    {
      name: 'dialogue in a hall with music',
      dialogue: panned(voice, 0),
      panned: mixed(panned(scaled(guitar, 0.7), -0.6), panned(scaled(bursts(length, 5), 0.7), 0.7)),
      ambience: mixed(reverberated(voice, 0.8, 0.015, 30), reverberated(guitar, 1.2, 0.01, 40)),
    },
    {
      name: 'loud crowd',
      dialogue: panned(scaled(voice, 0.8), 0),
      panned: panned(scaled(bursts(length, 6), 0.6), -0.9),
      ambience: noiseAround(length, 0.05, 50),
    },
    { name: 'ambience', dialogue: silence, panned: silence, ambience: noiseAround(length, 0.05, 60) },
    { name: 'dialogue', dialogue: panned(voice, 0), panned: silence, ambience: silence },
    {
      name: 'music',
      dialogue: silence,
      panned: mixed(panned(guitar, -0.8), panned(plucks(length, 7, 147), 0.5)),
      ambience: reverberated(guitar, 1.2, 0.02, 70),
    },
  ];
}
