import { useMutation } from '@tanstack/react-query';
import {
  CreateCaptions,
  type CreateCaptionsVariables,
  type StudioCaptionsFragment,
  UpdateCaptions,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { writeVtt } from './cue-text.ts';
import type { EditedCue } from './cues.ts';

/** Captions that are stored when their first text is saved. */
export interface NewCaptionsDraft {
  readonly id: null;
  readonly label: string;
  readonly input: Omit<CreateCaptionsVariables['input'], 'text'>;
}

/** Saves cues as a new version of captions, unless someone else has saved one; the first one creates them. */
export function useSaveCaptions(
  contentId: string,
  captions: StudioCaptionsFragment | NewCaptionsDraft,
  onSaved: (captions: StudioCaptionsFragment, written: readonly EditedCue[]) => void,
) {
  const save = useMutation({
    mutationFn: async ({ cues, anyway }: { cues: readonly EditedCue[]; anyway: boolean }) => {
      if (captions.id === null) {
        const created = { ...captions.input, text: writeVtt(cues) };
        return (await api(CreateCaptions, { id: contentId, input: created })).createContentCaptions;
      }
      const input = { text: writeVtt(cues), ...(anyway ? {} : { ifVersion: captions.version }) };
      return (await api(UpdateCaptions, { id: captions.id, input })).updateContentCaptions;
    },
    onSuccess: (saved, { cues }) => onSaved(saved, cues),
  });
  const isConflict = save.error instanceof ApiError && save.error.field === 'input.ifVersion';
  return { save, isConflict };
}
