import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import {
  CreateCaptions,
  type CreateCaptionsVariables,
  ReadCaptions,
  type StudioCaptionsFragment,
  UpdateCaptions,
  type UpdateContentCaptionsInput,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { type EditFields, textEdit } from '../../../lib/edits/edit-fields.ts';
import { type Base, saveEdits } from '../../../lib/edits/save-edits.ts';
import { useConflict } from '../../../lib/edits/use-conflict.ts';
import { t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { readCues, writeVtt } from './cue-text.ts';
import type { EditedCue } from './cues.ts';

/** Captions that are stored when their first text is saved. */
export interface NewCaptionsDraft {
  readonly id: null;
  readonly label: string;
  readonly input: Omit<CreateCaptionsVariables['input'], 'text'>;
}

interface EditedText {
  readonly revision: number;
  readonly text: string;
}

const FIELDS: EditFields<EditedText> = {
  text: textEdit(
    t`Text`,
    ({ text }) => text,
    (text) => `${text}\n`,
  ),
};

/** The text of stored captions, as the editor would write it. */
export async function loadText(id: string): Promise<EditedText | null> {
  const { node } = await api(ReadCaptions, { id });
  if (node?.__typename !== 'Captions' || node.vtt === null) return null;
  const response = await fetch(sameOriginUrl(node.vtt));
  return { revision: node.revision, text: writeVtt(readCues(await response.text())) };
}

interface Options {
  readonly contentId: string;
  readonly captions: StudioCaptionsFragment | NewCaptionsDraft;
  /** The cues as they were loaded. */
  readonly loaded: readonly EditedCue[];
  readonly onSaved: (captions: StudioCaptionsFragment, written: readonly EditedCue[]) => void;
  /** The person took the text of somebody else. */
  readonly onTaken: (cues: readonly EditedCue[]) => void;
}

/**
 * Saves cues as the text of captions; the first one creates them. Where somebody else has saved another text meanwhile,
 * `question` is for the dialog that shows both.
 */
export function useSaveCaptions({ contentId, captions, loaded, onSaved, onTaken }: Options) {
  const base = useRef<Base | null>(null);
  base.current ??= {
    revision: captions.id === null ? 0 : captions.revision,
    shown: { text: [writeVtt(loaded)] },
  };
  const { question, ask } = useConflict(({ name, mine, theirs }) => ({ name, label: t`Text`, mine, theirs }));
  const save = useMutation({
    mutationFn: async (cues: readonly EditedCue[]) => {
      if (captions.id === null) {
        const text = writeVtt(cues);
        const input = { ...captions.input, text };
        const created = (await api(CreateCaptions, { id: contentId, input })).createContentCaptions.captions;
        base.current = { revision: created.revision, shown: { text: [text] } };
        onSaved(created, cues);
        return true;
      }
      const { id } = captions;
      let text = writeVtt(cues);
      let written = cues;
      let answer: StudioCaptionsFragment = captions;
      const saved = await saveEdits({
        ...{ fields: FIELDS, base: base.current ?? { revision: 0, shown: {} }, ask },
        mine: () => ({ text: [text] }),
        send: async (input: UpdateContentCaptionsInput) => {
          answer = (await api(UpdateCaptions, { id, input })).updateContentCaptions.captions;
        },
        load: () => loadText(id),
        show: ({ text: shown }) => {
          if (shown === undefined || shown[0] === text) return;
          [text = ''] = shown;
          written = readCues(text);
          onTaken(written);
        },
      });
      if (saved === null) return false;
      base.current = saved;
      onSaved(answer, written);
      return true;
    },
  });
  return { save, question };
}
