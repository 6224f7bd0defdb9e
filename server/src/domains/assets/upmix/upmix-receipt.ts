import { gainOf, UPMIX, type UpmixFigures } from '../../../media/index.ts';

/** What an upmix did, as the table stores it. Levels in dB have one decimal. */
export interface UpmixReceipt {
  /** Of the signal processing. */
  readonly version: number;
  /** Of all channels, so that no peak clips. */
  readonly gainDb: number;
  /** Of the track and of the upmix without its gain; null for sound shorter than 400 ms. */
  readonly sourceLufs: number | null;
  readonly upmixLufs: number | null;
  /** Before it was encoded. */
  readonly truePeakDbtp: number | null;
  /** Of the stereo downmix against the track; null where nothing differs. */
  readonly downmixSnrDb: number | null;
  readonly centrePercent: number;
  readonly surroundPercent: number;
  /** In a sentence or two. */
  readonly decision: string;
}

/** The receipt of what was measured of a track. Pure. */
export function receiptOf(figures: UpmixFigures, channels: number): UpmixReceipt {
  const gainDb = 20 * Math.log10(gainOf(figures));
  const { sourceLufs, upmixLufs, truePeakDbtp, downmixSnrDb, centrePercent, surroundPercent } = figures;
  return {
    ...{ version: UPMIX.version, gainDb: rounded(gainDb) },
    ...{ sourceLufs: rounded(sourceLufs), upmixLufs: rounded(upmixLufs) },
    truePeakDbtp: truePeakDbtp === null ? null : rounded(truePeakDbtp + gainDb),
    ...{ downmixSnrDb: rounded(downmixSnrDb), centrePercent: rounded(centrePercent) },
    ...{ surroundPercent: rounded(surroundPercent), decision: decisionOf(figures, channels, gainDb) },
  };
}

/** Less than this of the power has no direction to speak of. */
const LITTLE_PERCENT = 0.1;

function decisionOf({ centrePercent, surroundPercent }: UpmixFigures, channels: number, gainDb: number): string {
  const lowered =
    gainDb < 0 ? ` All channels were lowered by ${(-gainDb).toFixed(1)} dB, because peaks would have clipped.` : '';
  if (channels === 1) return `The track is mono: it is played by the centre.${lowered}`;
  if (surroundPercent < LITTLE_PERCENT && centrePercent > 100 - LITTLE_PERCENT)
    return `Both channels are the same: they are played by the centre.${lowered}`;
  if (surroundPercent < LITTLE_PERCENT)
    return `The track has hardly any sound without a direction: the surrounds are nearly silent.${lowered}`;
  return `Dialogue went to the centre, and sound without a direction to the surrounds.${lowered}`;
}

function rounded(value: number): number;
function rounded(value: number | null): number | null;
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(10 * value) / 10 + 0;
}
