import { useCallback, useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { addCue, type EditedCue, mergeCue, removeCue, splitCue } from './cues.ts';
import { edit, redo, startHistory, undo } from './edit-history.ts';

/** The cues of an editor, and what changes them. */
export type CueEditor = ReturnType<typeof useCues>;

/** The cues of an editor with their history, and which one is selected. `say` tells screen readers what happened. */
export function useCues(loaded: readonly EditedCue[], durationMs: number, say: (text: string) => void) {
  const [history, setHistory] = useState(() => startHistory(loaded));
  const [chosen, select] = useState<number | null>(null);
  const cues = history.present;
  // What was selected may be undone.
  const selected = cues.some(({ id }) => id === chosen) ? chosen : null;
  const change = useCallback(
    (changed: (cues: readonly EditedCue[]) => readonly EditedCue[], kind: string | null) =>
      setHistory((known) => edit(known, changed(known.present), kind)),
    [],
  );
  const put = (changed: readonly EditedCue[], id: number | null, spoken: string): void => {
    change(() => changed, null);
    select(id);
    say(spoken);
  };
  const withSelected = (act: (id: number) => void): void => {
    if (selected !== null) act(selected);
  };
  return {
    cues,
    selected,
    select,
    change,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => {
      setHistory(undo);
      say(t`Undone.`);
    },
    redo: () => {
      setHistory(redo);
      say(t`Redone.`);
    },
    replace: (changed: readonly EditedCue[], spoken: string) => put(changed, null, spoken),
    add: (atMs: number) => {
      const added = addCue(cues, atMs, durationMs);
      if (added) put(added.cues, added.id, t`Cue added.`);
      else say(t`There is no room for a cue here.`);
      return added?.id ?? null;
    },
    split: (atMs: number, offset?: number) =>
      withSelected((id) => {
        const split = splitCue(cues, id, atMs, offset);
        if (split) put(split.cues, split.id, t`Cue split.`);
        else say(t`Move the position into the selected cue to split it there.`);
      }),
    merge: () =>
      withSelected((id) => {
        const merged = mergeCue(cues, id);
        if (merged) put(merged, id, t`Merged with the next cue.`);
        else say(t`There is no next cue.`);
      }),
    remove: (id: number | null = selected) => {
      if (id === null) return;
      const index = cues.findIndex((cue) => cue.id === id);
      put(removeCue(cues, id), (cues[index + 1] ?? cues[index - 1])?.id ?? null, t`Cue deleted.`);
    },
  };
}
