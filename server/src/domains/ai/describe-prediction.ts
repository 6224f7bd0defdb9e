import type { Value } from '../../kernel/languages/format-message.ts';
import { grouped, type Message, phrase, plural, type Text, t } from '../../kernel/languages/message.ts';
import type { CtrPrediction } from './ctr-model/ctr-model.ts';
import type { Recommendations } from './improvement.ts';
import type { StoredModel } from './virality.store.ts';

/** The assessment of a prediction and its basis, as text. */
export function assess({ ctr, low, high, score }: CtrPrediction, basis: StoredModel | null): Text {
  const [likely, least, most] = [ctr, low, high].map((rate) => grouped(100 * rate, 1)) as [Value, Value, Value];
  const expected = phrase`Of 100 people who see its card, about ${likely} are expected to click it (80% interval:
    ${least} to ${most}).`;
  if (!basis)
    return t`${expected} There is no data from this platform yet: this is YouTube's published range, where half of all
      videos get between 2% and 10%, and it is the same for every title and image.`;
  const rank = phrase`It has a ${Math.round(score)}% chance of a higher click-through rate than a random public video on
    this platform.`;
  const source = sourceOf(basis);
  if (basis.calibrationError === null) return t`${expected} ${rank} ${source}`;
  return t`${expected} ${rank} ${source} Predictions for held-out videos were off by
    ${grouped(100 * basis.calibrationError, 1)} percentage points on average.`;
}

function sourceOf({ contents, impressions, parameters }: StoredModel): Message {
  const videos = phrase`${plural(contents, { one: '# video', other: '# videos' })}`;
  const shown = phrase`${plural(impressions, { one: '# impression', other: '# impressions' })}`;
  const hasFeatures = (parameters.ctr?.encoding.numbers.length ?? 0) > 0;
  return hasFeatures
    ? phrase`Based on ${videos} with ${shown}.`
    : phrase`Based on ${videos} with ${shown}; that is not enough to compare titles and images, so the prediction is the
        same for all of them.`;
}

/** The top recommendation in one sentence. */
export function recommend({ improvements }: Recommendations, basis: StoredModel | null): Text {
  const [first] = improvements;
  if (first) return first.suggestion;
  return basis
    ? t`Publish it as it is: no change is expected to improve it reliably.`
    : t`Publish it and check its impressions and clicks: there is no data yet to recommend a change.`;
}
