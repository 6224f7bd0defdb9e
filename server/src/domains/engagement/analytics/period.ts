import type { ArgBuilder, ArgScope, Graph, RowScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';

/** All periods of analytics. */
export const ANALYTICS_RANGES = {
  LAST_7D: 'The last 7 days, including today.',
  LAST_28D: 'The last 28 days, including today.',
  LAST_30D: 'The last 30 days, including today.',
  LAST_90D: 'The last 90 days, including today.',
  MTD: 'Month to date.',
  YTD: 'Year to date.',
  CUSTOM: 'From `from` until `to`.',
} as const satisfies Record<string, string>;

type RangeName = keyof typeof ANALYTICS_RANGES;

/** The longest possible period. */
export const MAX_PERIOD_DAYS = 1_100;
const DAY_MS = 86_400_000;
/** Characters of a day, such as 2026-03-01; an instant has more. */
const DAY_LENGTH = 10;

export type AnalyticsRange = ReturnType<typeof declareAnalyticsRange>;

export function declareAnalyticsRange({ builder }: Graph) {
  const values = Object.entries(ANALYTICS_RANGES).map(([name, description]) => [name, { description }]);
  return builder.enumType('AnalyticsRange', {
    description:
      "A period, in the channel's time zone. It is compared with the " +
      'previous period of the same length, up to the same time of day.',
    values: Object.fromEntries(values) as Record<RangeName, { description: string }>, // the same keys
  });
}

/** The arguments range, from and to. */
export function periodArgs(t: ArgBuilder, range: AnalyticsRange) {
  return {
    range: t.field({ type: range, description: 'The period: by default CUSTOM with from or to, otherwise LAST_28D.' }),
    from: t.field({
      type: 'Date',
      description: "CUSTOM: the first day in the channel's time zone, or an instant, rounded down to 15 minutes.",
    }),
    to: t.field({
      type: 'Date',
      description:
        'CUSTOM: the last day, which is included, or an instant, exclusive and rounded ' +
        `up to 15 minutes; at most ${MAX_PERIOD_DAYS} days after from.`,
    }),
  };
}

/** SQL: one row with from_at, to_at, prev_from and prev_to; `zone` is the SQL of the time zone. */
export function periodSql(s: RowScope, args: ArgScope, zone: string): string {
  const bound = (name: 'from' | 'to') => {
    const given = args.compute((values) => checked(values)[name], 'text');
    const day = `(${given}::date + ${name === 'to' ? 1 : 0})::timestamp at time zone ${zone}`;
    return `(case when length(${given}) = ${DAY_LENGTH} then ${day} else ${given}::timestamptz end)`;
  };
  const now = s.param((env) => env.nowIso, 'timestamptz');
  return `analytics_period(${zone}, ${args.compute(rangeOf, 'text')}, ${bound('from')}, ` + `${bound('to')}, ${now})`;
}

type Values = Readonly<Record<string, unknown>>;

function rangeOf({ range, from, to }: Values): unknown {
  return range ?? (from != null || to != null ? 'CUSTOM' : 'LAST_28D');
}

/** The bounds of CUSTOM; no bounds for other periods. Throws INVALID_INPUT or FIELD_REQUIRED with the argument. */
function checked(values: Values): { from: string | null; to: string | null } {
  const { from, to } = values;
  if (rangeOf(values) !== 'CUSTOM') {
    for (const [field, value] of Object.entries({ from, to })) {
      if (value != null)
        throw bad(field, t`${field} belongs to the range CUSTOM.`, t`Send range: CUSTOM, or omit from and to.`);
    }
    return { from: null, to: null };
  }
  if (typeof from !== 'string')
    throw new AppError('FIELD_REQUIRED', t`CUSTOM needs a start.`, { field: 'from', suggestedFix: t`Send from.` });
  if (typeof to !== 'string')
    throw new AppError('FIELD_REQUIRED', t`CUSTOM needs an end.`, { field: 'to', suggestedFix: t`Send to.` });
  const lengthMs = Date.parse(to) - Date.parse(from) + (to.length === DAY_LENGTH ? DAY_MS : 0);
  if (lengthMs <= 0) throw bad('to', t`The period ends before it starts.`, t`Send a later one than from.`);
  if (lengthMs > MAX_PERIOD_DAYS * DAY_MS)
    throw bad('to', t`The period is longer than ${MAX_PERIOD_DAYS} days.`, t`Send a shorter period.`);
  return { from, to };
}

function bad(field: string, message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field, suggestedFix });
}
