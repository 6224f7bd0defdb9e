import { useState } from 'react';
import type { ConflictQuestion, ShownConflict } from '../lib/edits/use-conflict.ts';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { Dialog, DialogButtons } from './dialog.tsx';

/** Shows both values of each field that two people have changed, and lets the person choose. Outside of the form. */
export function ConflictDialog({ question }: { readonly question: ConflictQuestion | null }) {
  return question && <OpenConflict question={question} />;
}

function OpenConflict({ question: { conflicts, answer } }: { readonly question: ConflictQuestion }) {
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set());
  const choose = (name: string, isTheirs: boolean): void =>
    setTaken((known) => new Set(isTheirs ? [...known, name] : [...known].filter((each) => each !== name)));
  return (
    <Dialog open title={t`This was changed since you opened it`} onClose={() => answer(null)}>
      <p>{t`Somebody else, or you in another tab, has saved other values. Choose which to keep.`}</p>
      {conflicts.map((conflict) => (
        <Choice
          key={conflict.name}
          conflict={conflict}
          isTheirs={taken.has(conflict.name)}
          onChoose={(isTheirs) => choose(conflict.name, isTheirs)}
        />
      ))}
      {/* In sight, however many fields there are. */}
      <div className="sticky bottom-0 -mx-6 -mb-6 bg-surface px-6 pt-2 pb-6">
        <DialogButtons>
          <Button onClick={() => answer(null)}>{t`Keep editing`}</Button>
          <Button look="primary" onClick={() => answer(taken)}>{t`Save`}</Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

interface ChoiceProperties {
  readonly conflict: ShownConflict;
  readonly isTheirs: boolean;
  readonly onChoose: (isTheirs: boolean) => void;
}

function Choice({ conflict: { name, label, mine, theirs }, isTheirs, onChoose }: ChoiceProperties) {
  const sides = [
    { side: t`Your version`, lines: mine, chosen: !isTheirs, onChange: () => onChoose(false) },
    { side: t`Saved version`, lines: theirs, chosen: isTheirs, onChange: () => onChoose(true) },
  ];
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 font-semibold">{label}</legend>
      {sides.map(({ side, lines, chosen, onChange }) => (
        <label key={side} className="flex items-start gap-3 rounded-lg border border-line p-3">
          <input
            type="radio"
            name={`conflict-${name}`}
            checked={chosen}
            onChange={onChange}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-sm text-muted">{side}</span>
            <span dir="auto" className="block max-h-48 overflow-y-auto whitespace-pre-line">
              {lines.join('\n') || t`Empty`}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
