import { byteSize, counted } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';

interface Estimate {
  readonly readyInSeconds: number;
  readonly credits: number;
  /** Absent where the size does not matter. */
  readonly sizeBytes?: number;
}

/** What an enhancement takes: `About 3 min with the queue as it is, 12 MB, 4 credits.` */
export function estimateText({ readyInSeconds, credits, sizeBytes }: Estimate): string {
  const time = t`About ${Math.max(1, Math.ceil(readyInSeconds / 60))} min with the queue as it is`;
  const size = sizeBytes === undefined ? [] : [byteSize(sizeBytes)];
  return `${[time, ...size, counted(credits, 'credit')].join(', ')}.`;
}
