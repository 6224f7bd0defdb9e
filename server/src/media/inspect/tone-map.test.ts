import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { openClips } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';
import { planColour } from './colour-plan.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 120_000 };

type Colour = [number, number, number];
type Transfer = 'pq' | 'hlg';
const map = (colour: Colour, change: (value: number, channel: number) => number): Colour => [
  change(colour[0], 0),
  change(colour[1], 1),
  change(colour[2], 2),
];
const times = (rows: readonly Colour[], colour: Colour) =>
  map([0, 0, 0], (_, row) =>
    (rows[row] ?? colour).reduce((sum, value, column) => sum + value * (colour[column] ?? 0), 0),
  );

/** SMPTE ST 2084, in cd/m². */
function eotf(code: number): number {
  const e = code ** (1 / 78.84375);
  return 1e4 * (Math.max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e)) ** (1 / 0.1593017578125);
}
function inverseEotf(nits: number): number {
  const y = (nits / 1e4) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375;
}

/** BT.2390 section 5.4.1, for black levels of 0. */
function eetf(nits: number, peak: number, target: number): number {
  const e1 = inverseEotf(Math.min(nits, peak)) / inverseEotf(peak);
  const maxLum = inverseEotf(target) / inverseEotf(peak);
  const ks = 1.5 * maxLum - 0.5;
  if (e1 < ks) return eotf(e1 * inverseEotf(peak));
  const t = (e1 - ks) / (1 - ks);
  const p = (2 * t ** 3 - 3 * t * t + 1) * ks + (t ** 3 - 2 * t * t + t) * (1 - ks) + (3 * t * t - 2 * t ** 3) * maxLum;
  return eotf(p * inverseEotf(peak));
}

/** Light of a display of 1,000 cd/m² that shows a signal (BT.2100 tables 4 and 5), in the colours of BT.2020. */
function light(transfer: Transfer, signal: Colour): Colour {
  if (transfer === 'pq') return map(signal, eotf);
  const scene = map(signal, (e) =>
    e <= 0.5 ? (e * e) / 3 : (Math.exp((e - 0.55991073) / 0.17883277) + 0.28466892) / 12,
  );
  const luminance = 0.2627 * scene[0] + 0.678 * scene[1] + 0.0593 * scene[2];
  return map(scene, (value) => 1000 * luminance ** 0.2 * value);
}

const XYZ_OF_709: readonly Colour[] = [
  [0.4123908, 0.3575843, 0.1804808],
  [0.212639, 0.7151687, 0.0721923],
  [0.0193308, 0.1191948, 0.9505322],
];
const R709_OF_2020: readonly Colour[] = [
  [1.660491, -0.5876411, -0.0728499],
  [-0.1245505, 1.1328999, -0.0083494],
  [-0.0181508, -0.1005789, 1.1187297],
];

/** The tone map of a signal, as light of BT.709 from 0 to 1; colours outside of it at their nearest in saturation. */
function expected(transfer: Transfer, signal: Colour): Colour {
  const mapped = map(light(transfer, signal), (nits) => eetf(nits, 1000, 100) / 100);
  const colour = times(R709_OF_2020, mapped);
  const luminance = Math.min(1, 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]);
  const shares = colour.map((value) =>
    value > 1 ? (1 - luminance) / (value - luminance) : value < 0 ? luminance / (luminance - value) : 1,
  );
  return map(colour, (value) => Math.min(1, Math.max(0, luminance + Math.min(...shares) * (value - luminance))));
}

/** CIE 1976 L*a*b* of light of BT.709, for D65. */
function lab(colour: Colour): Colour {
  const f = (t: number) => (t > (6 / 29) ** 3 ? Math.cbrt(t) : t / (3 * (6 / 29) ** 2) + 4 / 29);
  const xyz = times(XYZ_OF_709, colour);
  const [x, y, z] = [f(xyz[0] / 0.9504559), f(xyz[1]), f(xyz[2] / 1.0890578)];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 (ISO/CIE 11664-6). */
function difference([l1, a1, b1]: Colour, [l2, a2, b2]: Colour): number {
  const degrees = (y: number, x: number) => (y === 0 && x === 0 ? 0 : ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360);
  const sin = (angle: number) => Math.sin((angle * Math.PI) / 180);
  const cos = (angle: number) => Math.cos((angle * Math.PI) / 180);
  const ratio = (chroma: number) => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const g = 0.5 * (1 - ratio((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2));
  const [c1, c2] = [Math.hypot((1 + g) * a1, b1), Math.hypot((1 + g) * a2, b2)];
  const [h1, h2] = [degrees(b1, (1 + g) * a1), degrees(b2, (1 + g) * a2)];
  const isGrey = c1 * c2 === 0;
  const turn = isGrey ? 0 : ((h2 - h1 + 540) % 360) - 180;
  const hue = 2 * Math.sqrt(c1 * c2) * sin(turn / 2);
  const h = isGrey ? h1 + h2 : Math.abs(h1 - h2) <= 180 ? (h1 + h2) / 2 : ((h1 + h2 + 360) / 2) % 360;
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2];
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63);
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2);
  const [dl, dc, dh] = [(l2 - l1) / sl, (c2 - c1) / (1 + 0.045 * c), hue / (1 + 0.015 * c * t)];
  const rt = -sin(60 * Math.exp(-(((h - 275) / 25) ** 2))) * 2 * ratio(c);
  return Math.sqrt(dl * dl + dc * dc + dh * dh + rt * dc * dh);
}

const GREYS = Array.from({ length: 64 }, (_, step): Colour => [step / 63, step / 63, step / 63]);
const SATURATIONS = [0, 0.35, 0.7];
/** Of all hues, from dark to bright. */
const PATCHES = [0.25, 0.4, 0.5, 0.6, 0.68, 0.74].flatMap((high) =>
  SATURATIONS.flatMap((low): Colour[] => {
    const [a, b] = [high, low * high];
    const middle = (a + b) / 2;
    return [
      ...([
        [a, b, b],
        [b, a, b],
        [b, b, a],
        [a, a, b],
        [a, b, a],
        [b, a, a],
      ] as Colour[]),
      ...([
        [a, middle, b],
        [b, a, middle],
        [middle, b, a],
      ] as Colour[]),
    ];
  }),
);
const SIDE = 16;

/** What ffmpeg makes of patches of HDR video: R'G'B' of BT.709 from 0 to 1, as players show it. */
async function converted(transfer: Transfer, patches: readonly Colour[]): Promise<{ sent: Colour[]; shown: Colour[] }> {
  const codes = patches.map((patch) => map(patch, (value) => Math.round(1023 * value)));
  const row = Buffer.alloc(3 * 2 * SIDE * patches.length);
  for (const [patch, code] of codes.entries())
    for (let x = 0; x < SIDE; x += 1)
      for (const [plane, channel] of [1, 2, 0].entries())
        row.writeUInt16LE(code[channel] ?? 0, 2 * (plane * SIDE * patches.length + patch * SIDE + x));
  const planes = [0, 1, 2].map((plane) => {
    const bytes = row.subarray(2 * plane * SIDE * patches.length, 2 * (plane + 1) * SIDE * patches.length);
    return Buffer.concat(Array.from({ length: SIDE }, () => bytes));
  });
  const input = await clips.write('patches.rgb', Buffer.concat(planes));
  const cwd = clips.fresh('tone-map');
  await runner.prepareWorkDir(cwd);
  const trc = transfer === 'pq' ? 'smpte2084' : 'arib-std-b67';
  const colour = { primaries: 'bt2020', transfer: trc, matrix: 'bt2020nc', range: 'tv' } as const;
  const { before } = planColour({
    ...{ codec: 'hevc', colour, hdr: transfer, pixelFormat: 'yuv420p10le', width: SIDE * patches.length, height: SIDE },
  });
  const filters = [
    `setparams=color_trc=${trc}:color_primaries=bt2020:colorspace=gbr:range=pc`,
    `zscale=min=gbr:rin=full:m=2020_ncl:r=limited:d=none`,
    'format=yuv420p10le',
    ...before,
    'zscale=min=709:rin=limited:m=gbr:r=full:d=none',
    'format=gbrp10le',
  ];
  const args = ['-f', 'rawvideo', '-pixel_format', 'gbrp10le', '-video_size', `${SIDE * patches.length}x${SIDE}`];
  await runner.run('ffmpeg', [...args, '-i', inputArg(0), '-vf', filters.join(','), '-f', 'rawvideo', 'out.rgb'], {
    cwd,
    inputs: [input],
    limits: LIMITS,
  });
  const out = await readFile(join(cwd, 'out.rgb'));
  const at = (plane: number, patch: number) =>
    out.readUInt16LE(2 * ((plane * SIDE + SIDE / 2) * SIDE * patches.length + patch * SIDE + SIDE / 2)) / 1023;
  return {
    sent: codes.map((code) => map(code, (value) => value / 1023)),
    shown: patches.map((_, patch): Colour => [at(2, patch), at(0, patch), at(1, patch)]),
  };
}

describe('CIEDE2000', () => {
  // Sharma, Wu and Dalal, "The CIEDE2000 color-difference formula", table 1: pairs 1, 7, 17 and 25.
  const pairs: [one: Colour, other: Colour, result: number][] = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 0, 0], [50, -1, 2], 2.3669],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  ];
  for (const [one, other, result] of pairs)
    it(`of ${one} and ${other} is ${result}`, () => assert.equal(Number(difference(one, other).toFixed(4)), result));
});

for (const transfer of ['pq', 'hlg'] as const) {
  describe(`${transfer.toUpperCase()} as standard range`, () => {
    it('has the colours of the tone map of BT.2390', async () => {
      const { sent, shown } = await converted(transfer, [...PATCHES, ...GREYS]);
      const found = sent.map((signal, index) => {
        const seen = map(shown[index] ?? [0, 0, 0], (code) => code ** 2.4);
        return difference(lab(seen), lab(expected(transfer, signal)));
      });
      const worst = Math.max(...found);
      const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
      assert.ok(mean <= 3 && worst <= 6, `mean ${mean}, worst ${worst} at ${sent[found.indexOf(worst)]}`);
      const clipped = sent.filter((signal, index) => {
        const isBelow = Math.max(...light(transfer, signal)) < 900;
        return isBelow && Math.max(...(shown[index] ?? [1])) >= 254.5 / 255;
      });
      assert.deepEqual(clipped, [], 'below 90 % of the peak');
    });

    it('has greys that rise, without colour', async () => {
      const { shown } = await converted(transfer, GREYS);
      for (const [index, [r, g, b]] of shown.entries()) {
        const before = shown[index - 1] ?? [0, 0, 0];
        assert.ok(g >= before[1], `grey ${index}: ${g} after ${before[1]}`);
        assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 3 / 255, `grey ${index}: ${[r, g, b]}`);
      }
      assert.ok((shown[0]?.[1] ?? 1) < 1 / 255 && (shown.at(-1)?.[1] ?? 0) > 254 / 255);
    });
  });
}
