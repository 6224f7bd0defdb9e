import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AacConfig, readAacConfig } from './aac-config.ts';

/** Bytes of fields, each a value in so many bits. */
function bytesOf(...fields: readonly (readonly [value: number, bits: number])[]): Buffer {
  const text = fields.map(([value, bits]) => value.toString(2).padStart(bits, '0')).join('');
  const whole = text.padEnd(8 * Math.ceil(text.length / 8), '0');
  return Buffer.from((whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

type Fields = [value: number, bits: number][];
/** ISO/IEC 14496-3 table 1.16: 48, 44.1, 24 and 22.05 kHz. */
const [HZ48, HZ44, HZ24, HZ22] = [3, 4, 6, 7];
const LC = 2;
/** A GASpecificConfig: frames of 1024 samples, no core coder, no extension. */
const GENERAL: Fields = [[0, 3]];
const core = (rate: number, channels: number): Fields => [[LC, 5], [rate, 4], [channels, 4], ...GENERAL];
const explicit = (type: number, rate: number, channels: number, doubled: number): Fields => [
  ...([
    [type, 5],
    [rate, 4],
    [channels, 4],
    [doubled, 4],
    [LC, 5],
  ] as Fields),
  ...GENERAL,
];
const SYNC: Fields = [
  [0x2b7, 11],
  [5, 5],
];
/** Front left and right, low frequencies. */
const PROGRAM: Fields = [
  ...([
    [0, 4],
    [1, 2],
    [HZ48, 4],
    [1, 4],
    [0, 4],
    [0, 4],
    [1, 2],
    [0, 3],
    [0, 4],
  ] as Fields),
  ...([
    [0, 3],
    [1, 1],
    [0, 4],
    [0, 4],
  ] as Fields),
];

const plain = { objectType: 2, sampleRate: 48_000, channels: 2, sbr: 'none', parametricStereo: false } as const;
const cases: [name: string, fields: Fields, found: AacConfig][] = [
  ['AAC-LC', core(HZ48, 2), plain],
  ['AAC-LC in 5.1', core(HZ44, 6), { ...plain, sampleRate: 44_100, channels: 6 }],
  [
    'a rate of its own',
    [[LC, 5], [15, 4], [37_800, 24], [1, 4], ...GENERAL],
    { ...plain, sampleRate: 37_800, channels: 1 },
  ],
  ['HE-AAC, explicit and hierarchical', explicit(5, HZ24, 2, HZ48), { ...plain, sampleRate: 24_000, sbr: 'signalled' }],
  [
    'HE-AAC version 2, explicit and hierarchical',
    explicit(29, HZ22, 1, HZ44),
    { ...plain, sampleRate: 22_050, channels: 1, sbr: 'signalled', parametricStereo: true },
  ],
  [
    'HE-AAC, explicit and backward compatible',
    [...core(HZ24, 2), ...SYNC, [1, 1], [HZ48, 4]],
    { ...plain, sampleRate: 24_000, sbr: 'signalled' },
  ],
  [
    'HE-AAC version 2, explicit and backward compatible',
    [...core(HZ24, 1), ...SYNC, [1, 1], [HZ48, 4], [0x548, 11], [1, 1]],
    { ...plain, sampleRate: 24_000, channels: 1, sbr: 'signalled', parametricStereo: true },
  ],
  ['AAC-LC, explicitly without replication', [...core(HZ24, 2), ...SYNC, [0, 1]], { ...plain, sampleRate: 24_000 }],
  ['HE-AAC, perhaps: implicit', core(HZ24, 2), { ...plain, sampleRate: 24_000, sbr: 'possible' }],
  ['a description of the channels', [[LC, 5], [HZ48, 4], [0, 4], ...GENERAL, ...PROGRAM], { ...plain, channels: 3 }],
  ['HE-AAC of a core at the doubled rate', explicit(5, HZ48, 2, HZ48), { ...plain, sbr: 'signalled' }],
  [
    'another object type',
    [
      [31, 5],
      [10, 6],
      [HZ48, 4],
      [2, 4],
    ],
    { ...plain, objectType: 42 },
  ],
];

describe('the configuration of an AAC decoder', () => {
  for (const [name, fields, found] of cases)
    it(`tells ${name}`, () => assert.deepEqual(readAacConfig(bytesOf(...fields)), found));

  it('is nothing where it is too short', () => assert.equal(readAacConfig(Buffer.from([0x12])), null));
});
