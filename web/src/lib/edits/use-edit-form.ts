import { useRef } from 'react';
import { useForm } from '../hooks/use-form.ts';
import type { Entries } from './edit-fields.ts';
import { readControls, wordsOf, writeControls } from './form-controls.ts';
import { type Base, baseOf, type Revised, type Saving, saveEdits } from './save-edits.ts';
import { useConflict } from './use-conflict.ts';

interface Options<Edited extends Revised, Input> extends Pick<Saving<Edited, Input>, 'fields' | 'send' | 'load'> {
  /** The object as the form was loaded with. */
  readonly edited: Edited;
  readonly onSaved?: (() => unknown) | undefined;
}

/**
 * The form of an object that others may edit meanwhile: it sends what was changed only, and `question` is for the
 * dialog that shows both values where two people have changed the same field.
 */
export function useEditForm<Edited extends Revised, Input>({
  fields,
  edited,
  send,
  load,
  onSaved,
}: Options<Edited, Input>) {
  const base = useRef<Base | null>(null);
  base.current ??= baseOf(fields, edited);
  const element = useRef<HTMLFormElement | null>(null);
  const { question, ask } = useConflict(({ name, mine, theirs }) => {
    const { words: named } = fields[name] ?? {};
    const words = (entries: Entries): Entries => {
      if (named) return entries.map(named);
      return element.current ? wordsOf(element.current, name, entries) : entries;
    };
    return { name, label: fields[name]?.label ?? name, mine: words(mine), theirs: words(theirs) };
  });
  const form = useForm(async (_, submitted) => {
    element.current = submitted;
    const saved = await saveEdits({
      ...{ fields, send, load, ask },
      base: base.current ?? baseOf(fields, edited),
      mine: () => readControls(submitted, Object.keys(fields)),
      show: (shown) => writeControls(submitted, shown),
    });
    if (saved === null) return false;
    base.current = saved;
    await onSaved?.();
    return true;
  });
  return { ...form, question };
}
