import type { CtrPrediction } from './ctr-model/ctr-model.ts';
import type { Recommendations } from './improvement.ts';
import type { StoredModel } from './virality.store.ts';

/** The assessment of a prediction and its basis, as text. */
export function assess({ ctr, low, high, score }: CtrPrediction, basis: StoredModel | null): string {
  const expected =
    `Of 100 people who see its card, about ${(100 * ctr).toFixed(1)} are expected to click it (80% ` +
    `interval: ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}).`;
  if (!basis) {
    return (
      `${expected} There is no data from this platform yet: this is YouTube's published range, where half of all ` +
      'videos get between 2% and 10%, and it is the same for every title and image.'
    );
  }
  const rank =
    `It has a ${Math.round(score)}% chance of a higher click-through rate than a random public video on this ` +
    'platform.';
  const source = `Based on ${count(basis.contents, 'video')} with ${count(basis.impressions, 'impression')}`;
  const hasFeatures = (basis.parameters.ctr?.encoding.numbers.length ?? 0) > 0;
  const by = hasFeatures
    ? '.'
    : '; that is not enough to compare titles and images, so the prediction is the same for all of them.';
  const off =
    basis.calibrationError === null
      ? ''
      : ' Predictions for held-out videos were off by ' +
        `${(100 * basis.calibrationError).toFixed(1)} percentage points on average.`;
  return `${expected} ${rank} ${source}${by}${off}`;
}

/** The top recommendation in one sentence. */
export function recommend({ improvements }: Recommendations, basis: StoredModel | null): string {
  const [first] = improvements;
  if (first) return first.suggestion;
  return basis
    ? 'Publish it as it is: no change is expected to improve it reliably.'
    : 'Publish it and check its impressions and clicks: there is no data yet to recommend a change.';
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
