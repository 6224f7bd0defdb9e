import { useState } from 'react';
import {
  KeyUsage,
  type SetKeyBudgetsInput,
  SetUsageLimits,
  type UsageLimitsFragment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../lib/edits/use-edit-form.ts';
import { t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const LIMITS = [
  { name: 'deletesPerDay', spent: 'deletesSpent', label: t`Deletions per 24 hours` },
  { name: 'publishesPerHour', spent: 'publishesSpent', label: t`Videos published per hour` },
  { name: 'processingMinutesPerDay', spent: 'processingMinutesSpent', label: t`Processing minutes per 24 hours` },
] as const;

type Limits = Pick<UsageLimitsFragment, (typeof LIMITS)[number]['name'] | 'revision'>;

const NO_LIMITS: Limits = {
  ...{ revision: 0, deletesPerDay: null, publishesPerHour: null, processingMinutesPerDay: null },
};

const FIELDS: EditFields<Limits> = Object.fromEntries(
  LIMITS.map(({ name, label }) => [
    name,
    textEdit<Limits>(
      label,
      (limits) => limits[name]?.toString() ?? null,
      (text) => (text === '' ? null : Number(text)),
    ),
  ]),
);

/** Usage limits of the key and of connected applications. They do not apply to the owner in a browser. */
export function UsageLimitsForm({ budgets: first }: { readonly budgets: UsageLimitsFragment | null }) {
  const [budgets, setBudgets] = useState(first);
  const form = useEditForm({
    fields: FIELDS,
    edited: first ?? NO_LIMITS,
    send: async (input: SetKeyBudgetsInput) => setBudgets((await api(SetUsageLimits, { input })).setKeyBudgets.budgets),
    load: async () => (await api(KeyUsage)).developerSettings.budgets ?? NO_LIMITS,
  });
  return (
    <>
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
      <ConflictDialog question={form.question} />
    </>
  );
}

function usedOf(spent: number | undefined, limit: number | null | undefined): string {
  return limit == null ? t`No limit` : t`${count(spent ?? 0)} of ${count(limit)} used`;
}
