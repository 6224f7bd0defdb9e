import { grouped, sentences, type Text, t } from '../../../kernel/languages/message.ts';
import { type GateFigures, MODEL_VERSION, UPSCALE, type UpscalePlan } from '../../../media/index.ts';
import type { DeliveredGain } from './delivered-gain.ts';

/** What was measured of a video, and what was decided, as the table stores it. */
export interface UpscaleReceipt {
  readonly outcome: 'ENHANCED' | 'NO_GAIN';
  /** Nominal lines. */
  readonly target: number;
  readonly model: string;
  /** Of one of ours; null for one of the operator. */
  readonly modelVersion: number | null;
  /** SHA-256 of the file of one of the operator, in hexadecimal. */
  readonly modelDigest?: string;
  /** Of the stage. */
  readonly version: number;
  /** Over bicubic enlargement, in the scenes that are enlarged with the model, with two decimals. */
  readonly gainDb: number;
  readonly enhancedPercent: number;
  readonly scenes: number;
  /** Frames that were tested. */
  readonly tested: number;
  /** The picture of the test; absent in receipts of earlier versions. */
  readonly picture?: NonNullable<GateFigures['picture']>;
  /** What is delivered, beside the largest ordinary quality; absent where it was not compared. */
  readonly delivered?: DeliveredGain;
  /** In a few sentences. */
  readonly decision: Text;
}

/** The receipt of what the gate measured, and of what is delivered. Pure. */
export function upscaleReceiptOf(
  { target, model, operator }: Pick<UpscalePlan, 'target' | 'model' | 'operator'>,
  figures: GateFigures,
  delivered: DeliveredGain | null,
): UpscaleReceipt {
  const { scenes, tested, enhancedPercent, gainDb, picture } = figures;
  const decision = decisionOf(figures);
  const rounded = { gainDb: Math.round(100 * gainDb) / 100, enhancedPercent: Math.round(10 * enhancedPercent) / 10 };
  return {
    ...{ outcome: enhancedPercent > 0 ? 'ENHANCED' : 'NO_GAIN', target, model },
    ...(operator ? { modelVersion: null, modelDigest: operator.digest } : { modelVersion: MODEL_VERSION }),
    ...{ version: UPSCALE.version, ...rounded, scenes, tested, ...(picture ? { picture } : {}) },
    ...(delivered ? { delivered: { ...delivered, gainDb: Math.round(100 * delivered.gainDb) / 100 } } : {}),
    decision: delivered ? sentences(decision, deliveredOf(delivered)) : decision,
  };
}

function deliveredOf({ gainDb, bitrateBps, ordinary, ordinaryBitrateBps }: DeliveredGain): Text {
  const [own, other] = [grouped(bitrateBps / 1e6, 1), grouped(ordinaryBitrateBps / 1e6, 1)];
  const gain = grouped(Math.abs(gainDb), 1);
  return gainDb >= 0
    ? t`As it is delivered, with ${own} Mbit/s and in the size of the video, it is ${gain} dB closer to it than
        ${ordinary} with ${other} Mbit/s.`
    : t`As it is delivered, with ${own} Mbit/s and in the size of the video, it is ${gain} dB farther from it than
        ${ordinary} with ${other} Mbit/s.`;
}

function gainOf({ gainDb, picture }: GateFigures): Text {
  const gain = grouped(gainDb, 1);
  if (!picture) return t`In the test they came ${gain} dB closer to the video than ordinary enlargement.`;
  const { width, height, madeWidth, madeHeight } = picture;
  return t`In the test, on the picture of the video in ${width}x${height}, made from one of ${madeWidth}x${madeHeight},
    they came ${gain} dB closer to it than ordinary enlargement.`;
}

function decisionOf(figures: GateFigures): Text {
  const { enhancedPercent } = figures;
  if (enhancedPercent === 0)
    return t`No scene would come closer to its details than with ordinary enlargement, because the picture is soft or
      strongly compressed. Nothing was stored.`;
  const gain = gainOf(figures);
  if (enhancedPercent > 99.95) return sentences(t`All scenes were enlarged with the model.`, gain);
  const share =
    enhancedPercent < 1
      ? t`Scenes that are less than 1 % of the video were enlarged with the model.`
      : t`Scenes that are ${Math.round(enhancedPercent)} % of the video were enlarged with the model.`;
  return sentences(share, t`The others do not gain from it.`, gain);
}
