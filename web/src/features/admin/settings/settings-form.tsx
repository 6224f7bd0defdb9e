import { useRouter } from '@tanstack/react-router';
import { Fragment, type ReactNode, useRef, useState } from 'react';
import {
  type InstanceFieldsFragment,
  InstanceSettings,
  UpdateInstance,
  type UpdateInstanceInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import type { EditFields, Entries, Shown } from '../../../lib/edits/edit-fields.ts';
import { type Base, baseOf, saveEdits } from '../../../lib/edits/save-edits.ts';
import { useConflict } from '../../../lib/edits/use-conflict.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictDialog } from '../../../ui/conflict-dialog.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

interface Properties {
  readonly title: string;
  readonly hint?: ReactNode;
  /** The settings as the fields were loaded with. */
  readonly instance: InstanceFieldsFragment;
  /** What the fields say; all that they may change. */
  readonly read: (data: FormData) => UpdateInstanceInput;
  /** The same of stored settings. */
  readonly of: (instance: InstanceFieldsFragment) => UpdateInstanceInput;
  /** The names of what may be changed, for people. */
  readonly labels: Readonly<Partial<Record<keyof UpdateInstanceInput, string>>>;
  /** A value in words. Default: as it is. */
  readonly words?: (name: string, value: unknown) => string;
  /** The fields; `errorOf` tells what the server refused of each. */
  readonly children: (errorOf: (field: string) => string | null) => ReactNode;
}

/** A section of the settings of the server, which is saved by itself. */
export function SettingsForm({ title, hint, instance, read, of, labels, words = String, children }: Properties) {
  const router = useRouter();
  const base = useRef<Base | null>(null);
  const fields = fieldsOf(of, labels);
  base.current ??= baseOf(fields, instance);
  // Fields that show what was stored are new ones, once the page has it.
  const [stored, setStored] = useState(instance.revision);
  const shown = useRef(instance.revision);
  if (stored > shown.current && instance.revision >= stored) shown.current = instance.revision;
  const { question, ask } = useConflict(({ name, mine, theirs }) => {
    const inWords = (entries: Entries) => entries.map((entry) => words(name, JSON.parse(entry)));
    return {
      name,
      label: labels[name as keyof UpdateInstanceInput] ?? title,
      mine: inWords(mine),
      theirs: inWords(theirs),
    };
  });
  const form = useForm(async (data) => {
    const taken = new Map<string, Entries>();
    const mine = (): Shown => ({ ...entriesOf(read(data)), ...Object.fromEntries(taken) });
    const saved = await saveEdits({
      ...{ fields, mine, ask },
      base: base.current ?? baseOf(fields, instance),
      send: (input: UpdateInstanceInput) => api(UpdateInstance, { input }),
      load: async () => (await api(InstanceSettings)).instance,
      show: (shown) => {
        for (const [name, entries] of Object.entries(shown)) taken.set(name, entries);
      },
    });
    if (saved === null) return false;
    base.current = saved;
    await router.invalidate({ sync: true });
    setStored(saved.revision);
    return true;
  });
  return (
    <Panel title={title} hint={hint}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="max-w-xl space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <Fragment key={shown.current}>{children(form.fieldError)}</Fragment>
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" look="primary" busy={form.busy}>
            {t`Save`}
          </Button>
          <p role="status" className="text-muted">
            {form.saved && t`Saved. Pages show it when they are loaded again.`}
          </p>
        </div>
      </form>
      <ConflictDialog question={question} />
    </Panel>
  );
}

/** Values as entries: what the fields say of one setting depends on others. */
function entriesOf(input: UpdateInstanceInput): Shown {
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, [JSON.stringify(value ?? null)]]));
}

function fieldsOf(of: Properties['of'], labels: Properties['labels']): EditFields<InstanceFieldsFragment> {
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => [
      name,
      {
        label,
        shown: (instance: InstanceFieldsFragment) => entriesOf(of(instance))[name] ?? ['null'],
        read: ([entry = 'null']: Entries) => JSON.parse(entry) as unknown,
      },
    ]),
  );
}
