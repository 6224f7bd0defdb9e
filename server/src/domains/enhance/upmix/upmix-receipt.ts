import { grouped, sentences, type Text, t } from '../../../kernel/languages/message.ts';
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
  readonly decision: Text;
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

function decisionOf(figures: UpmixFigures, channels: number, gainDb: number): Text {
  const done = whatWasDone(figures, channels);
  if (gainDb >= 0) return done;
  const lowered = grouped(-gainDb, 1);
  return sentences(done, t`All channels were lowered by ${lowered} dB, because peaks would have clipped.`);
}

function whatWasDone({ centrePercent, surroundPercent }: UpmixFigures, channels: number): Text {
  if (channels === 1) return t`The track is mono: it is played by the centre.`;
  if (surroundPercent < LITTLE_PERCENT && centrePercent > 100 - LITTLE_PERCENT)
    return t`Both channels are the same: they are played by the centre.`;
  if (surroundPercent < LITTLE_PERCENT)
    return t`The track has hardly any sound without a direction: the surrounds are nearly silent.`;
  return t`Dialogue went to the centre, and sound without a direction to the surrounds.`;
}

function rounded(value: number): number;
function rounded(value: number | null): number | null;
function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(10 * value) / 10 + 0;
}
