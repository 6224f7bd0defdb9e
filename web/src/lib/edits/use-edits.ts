import type { Entries, Shown } from './edit-fields.ts';
import { baseOf, type Revised, type Saving, saveEdits } from './save-edits.ts';
import { useConflict } from './use-conflict.ts';

type Options<Edited extends Revised, Input> = Pick<Saving<Edited, Input>, 'fields' | 'send' | 'load'>;

/**
 * Saves values that are chosen outside of the controls of `useEditForm`, of an object that others may edit meanwhile:
 * only what differs is sent, and `question` is for the dialog that shows both values.
 */
export function useEdits<Edited extends Revised, Input>({ fields, send, load }: Options<Edited, Input>) {
  const { question, ask } = useConflict(({ name, mine, theirs }) => {
    const words = (entries: Entries): Entries => entries.map((entry) => fields[name]?.words?.(entry) ?? entry);
    return { name, label: fields[name]?.label ?? name, mine: words(mine), theirs: words(theirs) };
  });
  /** Saves values of an object as the person has seen it. Returns it as stored; null: the person did not save. */
  const save = async (edited: Edited, chosen: Shown): Promise<Edited | null> => {
    const base = baseOf(fields, edited);
    let mine: Shown = { ...base.shown, ...chosen };
    let present = edited;
    const saved = await saveEdits({
      ...{ fields, base, send, ask },
      mine: () => mine,
      load: async () => {
        const loaded = await load();
        present = loaded ?? present;
        return loaded;
      },
      show: (shown) => {
        mine = { ...mine, ...shown };
      },
    });
    return saved && present;
  };
  return { save, question };
}
