import { type FormEvent, useState } from 'react';
import { type KeyBudgetsPartsFragment, SetKeyBudgets } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const LIMITS = [
  { name: 'deletesPerDay', spent: 'deletesSpent', label: 'Deletions in 24 hours' },
  { name: 'publishesPerHour', spent: 'publishesSpent', label: 'Publications in an hour' },
  { name: 'processingMinutesPerDay', spent: 'processingMinutesSpent', label: 'Minutes of processing in 24 hours' },
] as const;

type LimitName = (typeof LIMITS)[number]['name'];
type Texts = Readonly<Record<LimitName, string>>;

const textOf = (limit: number | null | undefined): string => (limit == null ? '' : String(limit));

function textsOf(budgets: KeyBudgetsPartsFragment | null): Texts {
  return {
    deletesPerDay: textOf(budgets?.deletesPerDay),
    publishesPerHour: textOf(budgets?.publishesPerHour),
    processingMinutesPerDay: textOf(budgets?.processingMinutesPerDay),
  };
}

/** What the key may do at most; the owner in a browser is never held to it. */
export function KeyBudgets({ budgets: first }: { readonly budgets: KeyBudgetsPartsFragment | null }) {
  const [budgets, setBudgets] = useState(first);
  const [texts, setTexts] = useState(textsOf(first));
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const save = async (): Promise<void> => {
    const input = Object.fromEntries(LIMITS.map(({ name }) => [name, texts[name] === '' ? null : Number(texts[name])]));
    const { setKeyBudgets } = await api(SetKeyBudgets, { input });
    setBudgets(setKeyBudgets);
    setTexts(textsOf(setKeyBudgets));
    setSaved(true);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void action.run('save', save);
  };
  return (
    <form onSubmit={submit} className="space-y-4">
      <p className="text-muted">
        What agents and applications may do at most, by your key or connected. Leave a field empty for no limit. You yourself, signed in
        here, are never held to it.
      </p>
      <div className="grid gap-4 sm:grid-cols-3">
        {LIMITS.map(({ name, spent, label }) => (
          <TextField
            key={name}
            label={label}
            hint={budgets?.[name] == null ? 'No limit' : `${Math.round(budgets[spent])} of ${budgets[name]} used`}
            type="number"
            min={0}
            max={1_000_000}
            step={1}
            inputMode="numeric"
            value={texts[name]}
            onChange={({ target }) => {
              setSaved(false);
              setTexts((known) => ({ ...known, [name]: target.value }));
            }}
          />
        ))}
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" busy={action.busy !== null}>
          Save limits
        </Button>
        <output className="text-muted">{saved && 'Saved.'}</output>
      </div>
    </form>
  );
}
