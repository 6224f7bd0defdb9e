import { useRef } from 'react';
import { type StudioContentFragment, StudioContentItem } from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { differing, type EditFields, shownOf } from '../../../lib/edits/edit-fields.ts';
import { useEdits } from '../../../lib/edits/use-edits.ts';
import { localInstant } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { AUDIENCE_NAMES, applyAudience, audienceOf, type ChosenAudience } from './audience.ts';

/** An audience as one entry, with the instant of a scheduled one: `SCHEDULED 2026-05-01T10:00:00.000Z`. */
function entryOf({ audience, releaseDate }: ChosenAudience): string {
  return releaseDate === null ? audience : `${audience} ${new Date(releaseDate).toISOString()}`;
}

function readEntry(entry: string): ChosenAudience {
  const [audience = 'PRIVATE', releaseDate = null] = entry.split(' ');
  return { audience: audience as ChosenAudience['audience'], releaseDate }; // written by entryOf
}

const FIELDS: EditFields<StudioContentFragment> = {
  audience: {
    label: t`Visibility`,
    shown: (content) => {
      const audience = audienceOf(content, Date.now());
      return [entryOf({ audience, releaseDate: audience === 'SCHEDULED' ? content.metadata.releaseDate : null })];
    },
    read: ([entry = '']) => readEntry(entry),
    words: (entry) => {
      const { audience, releaseDate } = readEntry(entry);
      if (releaseDate === null) return AUDIENCE_NAMES[audience];
      const date = localInstant(releaseDate);
      return t`Scheduled for ${date}`;
    },
  },
};

/**
 * Saves who can watch a content; `question` is for the dialog that shows both choices where somebody else has made
 * another one.
 */
export function useSaveAudience(id: string) {
  const seen = useRef<StudioContentFragment | null>(null);
  const load = async (): Promise<StudioContentFragment | null> =>
    (await api(StudioContentItem, { id })).content ?? null;
  const edits = useEdits({
    fields: FIELDS,
    load,
    send: async ({ audience }: { readonly audience: ChosenAudience }) => {
      // Publishing takes no revision: what the person has seen is compared right before.
      const present = await load();
      if (present === null || seen.current === null) return;
      const isOther = differing(shownOf(FIELDS, present), shownOf(FIELDS, seen.current)).length > 0;
      seen.current = present;
      if (isOther)
        throw new ApiError({ message: t`This was changed since you opened it`, extensions: { code: 'CONFLICT' } });
      await applyAudience(present, audience);
    },
  });
  /** Returns the content as stored; null: the person did not save. */
  const save = (content: StudioContentFragment, chosen: ChosenAudience): Promise<StudioContentFragment | null> => {
    seen.current = content;
    return edits.save(content, { audience: [entryOf(chosen)] });
  };
  return { save, question: edits.question };
}
