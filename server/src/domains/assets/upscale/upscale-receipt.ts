import { grouped, sentences, type Text, t } from '../../../kernel/languages/message.ts';
import { type GateFigures, MODEL_VERSION, UPSCALE, type UpscalePlan } from '../../../media/index.ts';

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
  /** In a sentence or two. */
  readonly decision: Text;
}

/** The receipt of what the gate measured. Pure. */
export function upscaleReceiptOf(
  { target, model, operator }: Pick<UpscalePlan, 'target' | 'model' | 'operator'>,
  { scenes, tested, enhancedPercent, gainDb }: GateFigures,
): UpscaleReceipt {
  const rounded = { gainDb: Math.round(100 * gainDb) / 100, enhancedPercent: Math.round(10 * enhancedPercent) / 10 };
  return {
    ...{ outcome: enhancedPercent > 0 ? 'ENHANCED' : 'NO_GAIN', target, model },
    ...(operator ? { modelVersion: null, modelDigest: operator.digest } : { modelVersion: MODEL_VERSION }),
    ...{ version: UPSCALE.version, ...rounded, scenes, tested, decision: decisionOf(enhancedPercent, gainDb) },
  };
}

function decisionOf(enhancedPercent: number, gainDb: number): Text {
  if (enhancedPercent === 0)
    return t`No scene would come closer to its details than with ordinary enlargement, because the picture is soft or
      strongly compressed. Nothing was stored.`;
  const gain = t`In the test they came ${grouped(gainDb, 1)} dB closer to the video than ordinary enlargement.`;
  if (enhancedPercent > 99.95) return sentences(t`All scenes were enlarged with the model.`, gain);
  const share =
    enhancedPercent < 1
      ? t`Scenes that are less than 1 % of the video were enlarged with the model.`
      : t`Scenes that are ${Math.round(enhancedPercent)} % of the video were enlarged with the model.`;
  return sentences(share, t`The others do not gain from it.`, gain);
}
