import { byteSize, shortCount } from '../../../lib/format.ts';
import { plural, t } from '../../../lib/i18n.ts';

interface Estimate {
  readonly readyInMs: number;
  readonly credits: number;
  /** Absent where the size does not matter. */
  readonly sizeBytes?: number;
}

/** What an enhancement takes: `About 3 min with the queue as it is, 12 MB, 4 credits.` */
export function estimateText({ readyInMs, credits, sizeBytes }: Estimate): string {
  const minutes = Math.max(1, Math.ceil(readyInMs / 60_000));
  if (sizeBytes === undefined)
    return t`About ${minutes} min with the queue as it is,
      ${plural(credits, { one: '# credit', other: '# credits' }, shortCount(credits))}.`;
  const size = byteSize(sizeBytes);
  return t`About ${minutes} min with the queue as it is, ${size},
    ${plural(credits, { one: '# credit', other: '# credits' }, shortCount(credits))}.`;
}
