import { useState } from 'react';
import type { AnalyticsRange } from '../../../gql/generated/operations.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { dayOf, RANGES } from './period.ts';
import type { PeriodSearch } from './period-search.ts';

interface Properties {
  readonly period: PeriodSearch;
  readonly timeZone: string;
  readonly onChange: (period: PeriodSearch) => void;
}

const DAY_MS = 86_400_000;
/** The longest period that the API accepts. */
const MAX_DAYS = 1100;

/** Selects the period of a page; Custom shows a form with start and end date. */
export function PeriodPicker({ period, timeZone, onChange }: Properties) {
  const [editing, setEditing] = useState(false);
  if (editing && period.range === 'CUSTOM') setEditing(false); // the form was submitted
  const custom = editing || period.range === 'CUSTOM';
  const choose = (range: AnalyticsRange): void => {
    setEditing(range === 'CUSTOM');
    if (range !== 'CUSTOM') onChange({ range });
  };
  return (
    <div className="space-y-3">
      <SegmentedControl
        label={t`Period`}
        name="period"
        options={RANGES}
        value={custom ? 'CUSTOM' : (period.range ?? 'LAST_28D')}
        onChange={choose}
      />
      {custom && <CustomPeriod period={period} timeZone={timeZone} onChange={onChange} />}
    </div>
  );
}

/** Why a period is invalid; `days` is its length. */
function periodError(days: number, to: string, today: string): string | null {
  if (Number.isNaN(days)) return t`Select a start date and an end date.`;
  if (days < 1) return t`The end date is before the start date.`;
  if (to > today) return t`The end date is in the future.`;
  if (days <= MAX_DAYS) return null;
  return t`A period can have at most ${plural(MAX_DAYS, { one: '# day', other: '# days' })}; this one has
    ${count(days)}.`;
}

function CustomPeriod({ period, timeZone, onChange }: Properties) {
  const today = dayOf(new Date(), timeZone);
  const [from, setFrom] = useState(period.from ?? dayOf(new Date(Date.now() - 13 * DAY_MS), timeZone));
  const [to, setTo] = useState(period.to ?? today);
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  const error = periodError(days, to, today);
  return (
    <form
      noValidate
      aria-label={t`Custom period`}
      className="flex flex-wrap items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (error === null) onChange({ range: 'CUSTOM', from, to });
      }}
    >
      <TextField
        label={t`Start date`}
        type="date"
        required
        value={from}
        max={today}
        onChange={(event) => setFrom(event.target.value)}
      />
      <TextField
        label={t`End date`}
        type="date"
        required
        value={to}
        max={today}
        error={error}
        hint={plural(days, { one: '# day', other: '# days' })}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button type="submit" className="mt-6.5 min-h-11.5">{t`Apply`}</Button>
    </form>
  );
}
