import { useState } from 'react';
import {
  PredictPerformance,
  type PredictPerformanceResult,
  type TaxonomyResult,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { count, percent } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { pickImage } from '../../../ui/image.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { EditedContent } from './details-form.tsx';

type Prediction = PredictPerformanceResult['predictVirality'];
type Improvement = Prediction['recommendations']['improvements'][number];

const AREAS: Readonly<Record<Improvement['area'], string>> = {
  TITLE: t`Title`,
  DESCRIPTION: t`Description`,
  PICTURE: t`Thumbnail`,
};

const tenths = new Intl.NumberFormat(formatLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface Properties {
  readonly content: EditedContent;
  readonly taxonomy: TaxonomyResult;
}

/**
 * Predicts the click-through rate of the saved content, with recommendations. On demand, because not every plan
 * includes it.
 */
export function PredictionPanel({ content, taxonomy }: Properties) {
  const [latest, setLatest] = useState<{ readonly of: string; readonly prediction: Prediction } | null>(null);
  const action = useAction();
  const input = inputOf(content, taxonomy);
  const subject = JSON.stringify(input);
  // A prediction for an earlier title or thumbnail no longer applies.
  const prediction = latest?.of === subject ? latest.prediction : null;
  const predict = (): void =>
    action.run('predict', async () => {
      setLatest({ of: subject, prediction: (await api(PredictPerformance, { input })).predictVirality });
    });
  return (
    <Panel
      title={t`Performance prediction`}
      hint={t`Expected click-through rate of the saved title, description and thumbnail, based on results on this
        server.`}
    >
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div aria-live="polite" className="space-y-5">
        {prediction && <Metrics prediction={prediction} />}
        {prediction && <Recommendations prediction={prediction} />}
      </div>
      <Button onClick={predict} busy={action.busy !== null}>
        {prediction ? t`Predict again` : t`Predict`}
      </Button>
    </Panel>
  );
}

function inputOf({ metadata, details, assets, channel }: EditedContent, { categories }: TaxonomyResult) {
  const [first] = details.categories.edges;
  return {
    title: metadata.title,
    description: metadata.summary,
    imageUrl: pickImage(assets.images, 'THUMBNAIL', 'POSTER')?.url ?? null,
    category: categories.edges.find(({ node }) => node.id === first?.node.id)?.node.name ?? null,
    channel: channel.id,
  };
}

function Metrics({ prediction }: { prediction: Prediction }) {
  const {
    viralityScore,
    clickThroughRate,
    clickThroughRateLow,
    clickThroughRateHigh,
    confidence,
    bestCategory,
    inferredCategory,
  } = prediction;
  const metrics: readonly (readonly [string, string, string])[] = [
    [t`Score`, count(viralityScore), t`Chance, out of 100, to outperform another video here`],
    [
      t`Click-through rate`,
      percent(clickThroughRate),
      t`80% interval: ${percent(clickThroughRateLow)} to ${percent(clickThroughRateHigh)}`,
    ],
    [t`Confidence`, percent(confidence), t`0% means no measured data`],
  ];
  return (
    <>
      <dl className="grid gap-3 sm:grid-cols-3">
        {metrics.map(([label, value, hint]) => (
          <div key={label} className="min-w-0 space-y-1 rounded-2xl border border-line bg-ink p-4">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-2xl font-bold tracking-tight tabular-nums">{value}</dd>
            <dd className="text-sm text-muted">{hint}</dd>
          </div>
        ))}
      </dl>
      <p className="max-w-prose text-muted">{prediction.recommendations.overallAssessment}</p>
      {(bestCategory !== null || inferredCategory !== null) && (
        <p className="max-w-prose">
          {[
            inferredCategory && t`Detected category: ${inferredCategory.category}.`,
            bestCategory !== null && t`Category with the highest expected click-through rate: ${bestCategory}.`,
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </>
  );
}

function Recommendations({ prediction: { recommendations } }: { prediction: Prediction }) {
  const { strengths, improvements } = recommendations;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {improvements.length > 0 && (
        <section aria-label={t`Improvements`} className="space-y-2">
          <h3 className="font-semibold">{t`Improvements`}</h3>
          <ul className="space-y-2">
            {improvements.map(({ area, suggestion, clickThroughRatePoints }) => (
              <li key={suggestion}>
                <span className="text-sm text-muted">{AREAS[area]}</span>
                <br />
                {suggestion}
                {clickThroughRatePoints !== null && (
                  <>
                    {' '}
                    <span className="text-sea">
                      {plural(clickThroughRatePoints, { other: '+# points' }, tenths.format(clickThroughRatePoints))}
                    </span>
                  </>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {strengths.length > 0 && (
        <section aria-label={t`Strengths`} className="space-y-2">
          <h3 className="font-semibold">{t`Strengths`}</h3>
          <ul className="space-y-2">
            {strengths.map((strength) => (
              <li key={strength}>{strength}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
