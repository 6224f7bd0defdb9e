/**
 * How high dynamic range becomes standard range: the tone map of Report ITU-R BT.2390 section 5.4.1 (EETF), from a
 * display of 1,000 cd/m² to one of 100, both with a black of 0, on R, G and B in the colours of BT.2020; then BT.709.
 */

/** Transfer functions of Recommendation ITU-R BT.2100. */
export type HdrTransfer = 'hlg' | 'pq';

type Rgb = readonly [r: number, g: number, b: number];

/** cd/m². The nominal peak of HLG (BT.2100 table 5), and that for which most PQ is graded. */
const SOURCE_PEAK = 1000;
const TARGET_PEAK = 100;

/** BT.2100 table 4. */
const PQ = {
  m1: 2610 / 16384,
  m2: (2523 / 4096) * 128,
  c1: 3424 / 4096,
  c2: (2413 / 4096) * 32,
  c3: (2392 / 4096) * 32,
};
const PQ_PEAK = 10_000;

function pqToLight(signal: number): number {
  const root = Math.max(0, signal) ** (1 / PQ.m2);
  return PQ_PEAK * (Math.max(0, root - PQ.c1) / (PQ.c2 - PQ.c3 * root)) ** (1 / PQ.m1);
}

function lightToPq(light: number): number {
  const power = (Math.max(0, light) / PQ_PEAK) ** PQ.m1;
  return ((PQ.c1 + PQ.c2 * power) / (1 + PQ.c3 * power)) ** PQ.m2;
}

/** BT.2100 table 5. */
const HLG = { a: 0.17883277, b: 0.28466892, c: 0.55991073, gamma: 1.2 };
const LUMA_2020: Rgb = [0.2627, 0.678, 0.0593];
const LUMA_709: Rgb = [0.2126, 0.7152, 0.0722];

function hlgToScene(signal: number): number {
  return signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - HLG.c) / HLG.a) + HLG.b) / 12;
}

const weighted = (colour: Rgb, weights: Rgb) =>
  colour[0] * weights[0] + colour[1] * weights[1] + colour[2] * weights[2];
const each = (colour: Rgb, change: (value: number) => number): Rgb => [
  change(colour[0]),
  change(colour[1]),
  change(colour[2]),
];

/** What the display of the source shows of a signal, in cd/m². */
function displayed(transfer: HdrTransfer, signal: Rgb): Rgb {
  if (transfer === 'pq') return each(signal, (value) => Math.min(SOURCE_PEAK, pqToLight(value)));
  const scene = each(signal, hlgToScene);
  const gain = SOURCE_PEAK * weighted(scene, LUMA_2020) ** (HLG.gamma - 1);
  return each(scene, (value) => Math.min(SOURCE_PEAK, gain * value));
}

const SOURCE_PQ = lightToPq(SOURCE_PEAK);
const LARGEST = lightToPq(TARGET_PEAK) / SOURCE_PQ;
const KNEE = 1.5 * LARGEST - 0.5;

/** The EETF of a channel: light of the source's display to that of the target's. */
function toneMapped(light: number): number {
  const from = lightToPq(light) / SOURCE_PQ;
  if (from < KNEE) return light;
  const t = (from - KNEE) / (1 - KNEE);
  const spline =
    (2 * t ** 3 - 3 * t ** 2 + 1) * KNEE +
    (t ** 3 - 2 * t ** 2 + t) * (1 - KNEE) +
    (-2 * t ** 3 + 3 * t ** 2) * LARGEST;
  return pqToLight(spline * SOURCE_PQ);
}

/** Linear RGB of BT.2020 to that of BT.709 (Recommendation ITU-R BT.2087 appendix). */
const TO_709: readonly [Rgb, Rgb, Rgb] = [
  [1.660491, -0.587641, -0.07285],
  [-0.12455, 1.1329, -0.008349],
  [-0.018151, -0.100579, 1.11873],
];

/** A colour outside of BT.709 loses as much saturation, at the same luminance, as brings it inside. */
function inGamut(colour: Rgb): Rgb {
  const grey = Math.min(1, Math.max(0, weighted(colour, LUMA_709)));
  let share = 1;
  for (const value of colour) {
    if (value > 1) share = Math.min(share, (1 - grey) / (value - grey));
    if (value < 0) share = Math.min(share, grey / (grey - value));
  }
  return each(colour, (value) => Math.min(1, Math.max(0, grey + share * (value - grey))));
}

/**
 * The spline reaches the largest code of 8 bits at two thirds of the source's peak. Here only the last light does, so
 * that what is not the brightest differs from it, after encoding, too.
 */
const BELOW_PEAK = 0.02;
const LAST_LIGHT = 0.02 * SOURCE_PEAK;

/** A pixel of HDR video as the encoder receives it: R'G'B' of BT.709 for a display as in BT.1886, from 0 to 1. Pure. */
export function standardRange(transfer: HdrTransfer, signal: Rgb): Rgb {
  const shown = displayed(transfer, signal);
  const brightest = Math.max(...shown);
  const below = BELOW_PEAK * Math.min(1, (SOURCE_PEAK - brightest) / LAST_LIGHT);
  const mapped = each(shown, (light) => toneMapped(light) / TARGET_PEAK);
  const colour: Rgb = [weighted(mapped, TO_709[0]), weighted(mapped, TO_709[1]), weighted(mapped, TO_709[2])];
  return each(inGamut(colour), (value) => {
    const code = value ** (1 / 2.4);
    return code * (1 - below * code ** 4);
  });
}

/** Nodes of the table on each axis. */
const NODES = 49;

const built = new Map<HdrTransfer, Buffer>();

/** The table of `standardRange` for the filter lut3d of ffmpeg, in the format of Cube LUT 1.0. */
export function toneMapTable(transfer: HdrTransfer): Buffer {
  const known = built.get(transfer);
  if (known) return known;
  const lines = [`LUT_3D_SIZE ${NODES}`];
  const at = (node: number) => node / (NODES - 1);
  for (let b = 0; b < NODES; b += 1)
    for (let g = 0; g < NODES; g += 1)
      for (let r = 0; r < NODES; r += 1)
        lines.push(
          standardRange(transfer, [at(r), at(g), at(b)])
            .map((value) => value.toFixed(5))
            .join(' '),
        );
  const table = Buffer.from(`${lines.join('\n')}\n`);
  built.set(transfer, table);
  return table;
}

/** The name of a table in the folder that ffmpeg works in. */
export function toneMapName(transfer: HdrTransfer): string {
  return `tone-map-${transfer}.cube`;
}

/** The tables that filters in the arguments of ffmpeg name. Pure. */
export function toneMapsIn(args: readonly string[]): HdrTransfer[] {
  return (['hlg', 'pq'] as const).filter((transfer) => args.some((arg) => arg.includes(toneMapName(transfer))));
}
