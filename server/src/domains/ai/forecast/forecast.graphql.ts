import { AGES } from '@reelgraph/forecast';
import type { EntityRef, Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import { t } from '../../../kernel/languages/message.ts';
import { mayInChannel } from '../../channels/index.ts';
import { contentForecast, FORECAST_METHODS, FORECAST_STATUSES, type ForecastRow } from './content-forecast.ts';
import { contentForecastSql } from './forecast.sql.ts';

/** Days of a forecast. */
const SPANS: readonly number[] = [7, 30, 90];
const COST = [{ points: 30 }];

/** Declares Content.forecast, for members of the channel. */
export function declareForecast(graph: Graph, Content: EntityRef): void {
  const ContentForecast = declareTypes(graph);
  graph.extend(Content, (f) => ({
    forecast: f.column({
      type: ContentForecast,
      nullable: true,
      description:
        'How its views are forecast to grow after its publication, and the views that really came. ' +
        'Null unless the viewer is a member of its channel.',
      args: (t) => ({
        days: t.int({ required: true, description: `Days since its publication: ${SPANS.join(', ')}.` }),
        afterDays: t.int({
          description:
            `The forecast that was made after so many days: ${AGES.join(', ')}. By default the latest one ` +
            'that was made before the last of `days`.',
        }),
      }),
      cost: COST,
      sql: (s, args) => {
        const days = args.read('days', (value) => oneOf(value, SPANS, 'days'), 'int');
        const age = args.given('afterDays')
          ? args.read('afterDays', (value) => oneOf(value, AGES, 'afterDays'), 'int')
          : 'null';
        const now = s.param((env) => env.nowIso, 'timestamptz');
        const allowed = mayInChannel(s, `${s.t}.channel_id`, 'analytics:read');
        return contentForecastSql(s.t, { allowed, days, age, now });
      },
      read: ([row]: [ForecastRow | null], { language }) => row && forecastIn(row, language),
    }),
  }));
}

/** The forecast with its reason in a language. */
function forecastIn(row: ForecastRow, language: Language): Record<string, unknown> {
  const forecast = contentForecast(row);
  return { ...forecast, reason: forecast.reason && localized(forecast.reason, language) };
}

function oneOf(value: unknown, allowed: readonly number[], field: string): number {
  if (typeof value === 'number' && allowed.includes(value)) return value;
  throw new AppError('INVALID_INPUT', t`${field} is ${String(value)}; there are forecasts for ${allowed.join(', ')}.`, {
    field,
    suggestedFix: t`Send one of: ${allowed.join(', ')}.`,
  });
}

function declareTypes(graph: Graph): EntityRef {
  const ForecastStatus = graph.builder.enumType('ForecastStatus', {
    description: 'Whether there is a forecast.',
    values: described(FORECAST_STATUSES),
  });
  const ForecastRange = graph.object('ForecastRange', {
    description: 'A range of views that contains 80 of 100 outcomes.',
    fields: (f) => ({
      p10: f.value({ type: 'Float', description: '10 of 100 outcomes are lower.' }),
      p50: f.value({ type: 'Float', description: 'Half of the outcomes are lower.' }),
      p90: f.value({ type: 'Float', description: '90 of 100 outcomes are lower.' }),
    }),
  });
  const range = (description: string) => ({ type: ForecastRange, nullable: true, description });
  const ForecastPoint = graph.object('ForecastPoint', {
    description: 'A day of a forecast. Days end at midnight UTC; the first has 12 to 36 hours.',
    fields: (f) => ({
      day: f.value({ type: 'Int', description: 'Days since the publication; the first is 1.' }),
      at: f.value({ type: 'DateTime', description: 'Midnight at which the day began; day 1 may have begun earlier.' }),
      views: f.value({ type: 'BigInt', nullable: true, description: 'Views of the day; null until it is complete.' }),
      totalViews: f.value({ type: 'BigInt', nullable: true, description: 'Views until its end, likewise.' }),
      viewsForecast: f.value(range('Forecast of the views of the day; null for days before the forecast.')),
      totalViewsForecast: f.value(range('Forecast of the views until its end, likewise.')),
    }),
  });
  const ForecastModel = declareModel(graph);
  return graph.object('ContentForecast', {
    description: 'A forecast of views, and those that really came.',
    fields: (f) => ({
      status: f.value({ type: ForecastStatus, description: 'Whether there is a forecast.' }),
      reason: f.value({ type: 'String', nullable: true, description: 'Why there is none; null if there is one.' }),
      days: f.value({ type: 'Int', description: 'Days since the publication.' }),
      completeDays: f.value({ type: 'Int', description: 'How many of them are complete.' }),
      madeAt: f.value({ type: 'DateTime', nullable: true, description: 'When the forecast was made.' }),
      madeAfterDays: f.value({
        type: 'Int',
        nullable: true,
        description: 'Complete days that it was made from; it begins on the next one.',
      }),
      model: f.value({ type: ForecastModel, nullable: true, description: 'The model behind it.' }),
      points: f.value({ type: [ForecastPoint], description: 'One for each day; none for an unpublished content.' }),
    }),
  });
}

function declareModel(graph: Graph): EntityRef {
  const ForecastMethod = graph.builder.enumType('ForecastMethod', {
    description: 'How a forecast was made.',
    values: described(FORECAST_METHODS),
  });
  return graph.object('ForecastModel', {
    description: 'The model behind a forecast, for the last of its days.',
    fields: (f) => ({
      method: f.value({ type: ForecastMethod, description: 'How the forecast was made.' }),
      version: f.value({ type: 'Int', description: 'Version of the model, which grows with each new one; 0: none.' }),
      trainedAt: f.value({ type: 'DateTime', nullable: true, description: 'When it was trained; null: not at all.' }),
      videos: f.value({ type: 'Int', description: 'Videos of this platform that it learned from.' }),
      coverage: f.value({
        type: 'Float',
        nullable: true,
        description: 'Share of the outcomes of held-out videos between p10 and p90; 0.8 is right. Null: not measured.',
      }),
      logError: f.value({
        type: 'Float',
        nullable: true,
        description: 'Mean absolute error of the natural logarithm of their views. Null: not measured.',
      }),
    }),
  });
}

function described<Name extends string>(table: Readonly<Record<Name, string>>): Record<Name, { description: string }> {
  // The same keys, which Object.fromEntries does not infer.
  return Object.fromEntries(
    Object.entries<string>(table).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>;
}
