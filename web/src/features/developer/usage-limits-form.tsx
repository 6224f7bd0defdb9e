import { useState } from 'react';
import { SetUsageLimits, type UsageLimitsFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const LIMITS = [
  { name: 'deletesPerDay', spent: 'deletesSpent', label: t`Deletions per 24 hours` },
  { name: 'publishesPerHour', spent: 'publishesSpent', label: t`Videos published per hour` },
  { name: 'processingMinutesPerDay', spent: 'processingMinutesSpent', label: t`Processing minutes per 24 hours` },
] as const;

/** Usage limits of the key and of connected applications. They do not apply to the owner in a browser. */
export function UsageLimitsForm({ budgets: first }: { readonly budgets: UsageLimitsFragment | null }) {
  const [budgets, setBudgets] = useState(first);
  const form = useForm(async (data) => {
    const limits = LIMITS.map(
      ({ name }) => [name, textOf(data, name) === '' ? null : Number(textOf(data, name))] as const,
    );
    const changed = limits.filter(([name, limit]) => limit !== (budgets?.[name] ?? null));
    setBudgets((await api(SetUsageLimits, { input: Object.fromEntries(changed) })).setKeyBudgets);
  });
  return (
    <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
      <p className="text-muted">{t`Limits for your API key, tokens and connected applications together. Leave a field
        empty for no limit. The limits do not apply to you when you are signed in here.`}</p>
      <div className="grid gap-4 sm:grid-cols-3">
        {LIMITS.map(({ name, spent, label }) => (
          <TextField
            key={name}
            name={name}
            label={label}
            hint={usedOf(budgets?.[spent], budgets?.[name])}
            type="number"
            min={0}
            max={1_000_000}
            step={1}
            inputMode="numeric"
            defaultValue={first?.[name] ?? ''}
            error={form.fieldError(name)}
          />
        ))}
      </div>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" busy={form.busy}>{t`Save limits`}</Button>
        <output className="text-muted">{form.saved && t`Saved.`}</output>
      </div>
    </form>
  );
}

function usedOf(spent: number | undefined, limit: number | null | undefined): string {
  return limit == null ? t`No limit` : t`${count(spent ?? 0)} of ${count(limit)} used`;
}
