import type { KeyboardEvent } from 'react';
import { t } from '../../../lib/i18n.ts';
import { problemsOf } from './cue-problems.ts';
import type { EditedCue } from './cues.ts';
import type { CueEditor } from './use-cues.ts';
import type { EditorVideo } from './use-editor-video.ts';

interface Options {
  readonly editor: CueEditor;
  readonly player: EditorVideo;
  readonly durationMs: number;
  /** Tells screen readers what happened. */
  readonly say: (text: string) => void;
  readonly save: (cues: readonly EditedCue[]) => void;
}

/** The commands of the editor that move the focus to the text of a cue, and the keys of all commands. */
export function editorCommands({ editor, player, durationMs, say, save }: Options) {
  const { cues } = editor;
  const add = (): void => focusText(editor.add(player.timeMs()));
  const submit = (): void => {
    const wrong = cues.find((cue, index) =>
      problemsOf(cue, cues[index + 1], durationMs).some(({ isError }) => isError),
    );
    if (!wrong) {
      save(cues);
      return;
    }
    editor.select(wrong.id);
    focusText(wrong.id);
    const number = cues.indexOf(wrong) + 1;
    say(t`Cue ${number} cannot be saved as it is.`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    const act = {
      z: event.shiftKey ? editor.redo : editor.undo,
      y: editor.redo,
      s: submit,
      ' ': player.toggle,
      enter: add,
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return { add, submit, onKeyDown };
}

/** Focuses the text of a cue, once it is shown. */
function focusText(id: number | null): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-cue-text="${id}"]`)?.focus());
}
