import type { CtrPrediction } from './ctr-model/ctr-model.ts';
import type { Recommendations } from './recommendations.ts';
import type { StoredModel } from './virality.store.ts';

/** What a prediction says and what it rests on, in sentences. */
export function assess({ ctr, low, high, score }: CtrPrediction, basis: StoredModel | null): string {
  const expected = `Of a hundred people who see its card about ${(100 * ctr).toFixed(1)} are expected to follow it, with a probability of 80% between ${(100 * low).toFixed(1)} and ${(100 * high).toFixed(1)}.`;
  if (!basis) {
    return `${expected} Nothing was measured on this platform yet: that is what YouTube publishes of its videos, half of which get between 2% and 10%, and it is the same for every title and picture.`;
  }
  const rank = `The chance that it gets more clicks per impression than a public video here picked at random is ${Math.round(score)}%.`;
  const source = `Learned from ${count(basis.contents, 'video')} with ${count(basis.impressions, 'impression')}`;
  const hasFeatures = (basis.parameters.ctr?.encoding.numbers.length ?? 0) > 0;
  const by = hasFeatures ? '.' : '; that is not enough to tell which titles and pictures do better, so it is the same for all of them.';
  const off =
    basis.calibrationError === null
      ? ''
      : ` Predictions for videos that were held out were off by ${(100 * basis.calibrationError).toFixed(1)} percentage points in the mean of groups.`;
  return `${expected} ${rank} ${source}${by}${off}`;
}

/** What to do, in one sentence. */
export function recommend({ improvements }: Recommendations, basis: StoredModel | null): string {
  const [first] = improvements;
  if (first) return first.suggestion;
  return basis
    ? 'Publish it as it is: no change that could be tried here is expected to help surely enough.'
    : 'Publish it and look at its impressions and clicks: nothing was measured here yet that would speak for a change.';
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`;
}
