import { useMutation } from '@tanstack/react-query';
import { type StudioCaptionsFragment, UpdateCaptions } from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { writeVtt } from './cue-text.ts';
import type { EditedCue } from './cues.ts';

/** Saves cues as a new version of captions, unless someone else has saved one. */
export function useSaveCaptions(
  captions: StudioCaptionsFragment,
  onSaved: (captions: StudioCaptionsFragment, written: readonly EditedCue[]) => void,
) {
  const save = useMutation({
    mutationFn: async ({ cues, anyway }: { cues: readonly EditedCue[]; anyway: boolean }) => {
      const input = { text: writeVtt(cues), ...(anyway ? {} : { ifVersion: captions.version }) };
      return (await api(UpdateCaptions, { id: captions.id, input })).updateContentCaptions;
    },
    onSuccess: (saved, { cues }) => onSaved(saved, cues),
  });
  const isConflict = save.error instanceof ApiError && save.error.field === 'input.ifVersion';
  return { save, isConflict };
}
