import { useAction } from '../../../lib/hooks/use-action.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { readCaptionsFile } from './captions-file.ts';
import { readCues } from './cue-text.ts';
import type { CueEditor } from './use-cues.ts';

/** Replaces the cues by those of a file; with the error of the last file. */
export function useImport(editor: CueEditor) {
  const reading = useAction();
  const load = (file: File): void =>
    reading.run('read', async () => {
      const read = readCues(await readCaptionsFile(file));
      const count = read.length;
      const replaced = t`${file.name}: ${plural(count, {
        one: '# cue replaces the former ones.',
        other: '# cues replace the former ones.',
      })}`;
      editor.replace(read, replaced);
    });
  return { load, error: reading.error };
}
