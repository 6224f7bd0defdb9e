import {
  type RequestEnv,
  type RevisionInput,
  readChanges,
  readNew,
  revised,
  type StatementCommand,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { fact, not, type Policy, state } from '../../../kernel/policy.ts';
import { CAPTIONS_FIELDS, CAPTIONS_PROPERTIES, type CaptionsInput, readCaptions } from '../../assets/index.ts';
import { autonymOf } from '../../enhance/index.ts';
import { type ContentFacts, contentChange } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import {
  CAPTIONS_TARGET,
  type CaptionsUpdate,
  CHANGED_CAPTIONS_TARGET,
  createCaptionsWrites,
  deleteCaptionsWrites,
  MAX_CAPTIONS,
  NEW_CAPTIONS_TARGET,
  type NewCaptions,
  updateCaptionsWrites,
} from './captions-commands.store.ts';

type CaptionsFacts = ContentFacts & { readonly blocked: boolean };
type ForcedFacts = CaptionsFacts & { readonly forced_descriptions: boolean };
type UpdateFacts = ForcedFacts & { readonly outdated: boolean };

/** Who may add captions to a content. */
export const CAPTIONS_CREATION: Policy<ForcedFacts> = {
  ...contentChange(),
  requires: [
    ...contentChange().requires,
    state(not(fact('blocked')), tooMany),
    state(not(fact('forced_descriptions')), forcedDescriptions),
  ],
};

/** Who may change captions; those found in the video file cannot be changed. */
export const CAPTIONS_CHANGE: Policy<CaptionsFacts> = {
  ...contentChange(captionsNotFound),
  requires: [...contentChange(captionsNotFound).requires, state(not(fact('blocked')), partOfTheFile)],
};

/** The same, for what they become, and from which text. */
export const CAPTIONS_UPDATE: Policy<UpdateFacts> = {
  ...CAPTIONS_CHANGE,
  requires: [
    ...CAPTIONS_CHANGE.requires,
    state(not(fact('forced_descriptions')), forcedDescriptions),
    state(not(fact('outdated')), changedMeanwhile),
  ],
};

/** Adds captions to the account's content, given as SubRip or WebVTT. One round trip. */
export const createContentCaptions: StatementCommand<
  { readonly id: string; readonly input: CaptionsInput },
  NewCaptions
> = {
  prepare({ id, input }, env) {
    const { language } = readNew({ language: CAPTIONS_PROPERTIES.language }, input);
    const values = readNew(CAPTIONS_PROPERTIES, { ...input, label: input.label ?? autonymOf(language) });
    return { ...readContentId(env, id, 'id'), captionsId: newId(env.nowMs), values: { ...values, text: '' } };
  },
  async parse(prepared, { input }) {
    const { text } = readNew({ text: CAPTIONS_FIELDS.text }, input);
    return { ...prepared, values: { ...prepared.values, text: await readCaptions(text, 'input.text') } };
  },
  payload: ({ captionsId, id }) => ({ captions: captionsId, content: id }),
  row: 'changed',
  target: NEW_CAPTIONS_TARGET,
  policy: CAPTIONS_CREATION,
  writes: createCaptionsWrites,
};

interface UpdateArgs {
  readonly id: string;
  readonly input: CaptionsInput & RevisionInput & { readonly ifVersion?: Maybe<number> };
}

/** Updates captions of the account's content. One round trip. */
export const updateContentCaptions: StatementCommand<UpdateArgs, CaptionsUpdate> = revised(
  { row: 'p', fields: CAPTIONS_FIELDS, changes: ({ changes }) => changes },
  {
    prepare: ({ id, input: { ifVersion, ifRevision, ...input } }, env) => ({
      captionsId: readCaptionsId(env, id),
      changes: readChanges(CAPTIONS_PROPERTIES, input),
      ifVersion: ifVersion ?? null,
      ifRevision: ifRevision ?? null,
    }),
    async parse(prepared, { input }) {
      const { text } = readChanges({ text: CAPTIONS_FIELDS.text }, input);
      if (text === undefined) return prepared;
      return { ...prepared, changes: { ...prepared.changes, text: await readCaptions(text, 'input.text') } };
    },
    payload: ({ captionsId }) => captionsId,
    row: 'changed',
    target: CHANGED_CAPTIONS_TARGET,
    policy: CAPTIONS_UPDATE,
    writes: updateCaptionsWrites,
  },
);

/** Deletes captions of the account's content. One round trip, and one for the content where it is selected. */
export const deleteContentCaptions: StatementCommand<{ readonly id: string }, { readonly captionsId: string }> = {
  prepare: ({ id }, env) => ({ captionsId: readCaptionsId(env, id) }),
  payload: ({ captionsId }, env, { content_id: content }) => ({ id: env.did('captions', captionsId), content }),
  target: { ...CAPTIONS_TARGET, payloadColumns: ['content_id'] },
  policy: CAPTIONS_CHANGE,
  writes: deleteCaptionsWrites,
};

function tooMany(field: string): AppError {
  return new AppError('INVALID_INPUT', t`This content already has ${MAX_CAPTIONS} captions.`, {
    field,
    suggestedFix: t`Remove some with deleteContentCaptions first.`,
  });
}

function forcedDescriptions(): AppError {
  return new AppError('INVALID_INPUT', t`Descriptions of the picture cannot be forced.`, {
    field: 'input.isForced',
    suggestedFix: t`Send kind SUBTITLES, or isForced: false.`,
  });
}

function changedMeanwhile(): AppError {
  return new AppError('INVALID_INPUT', t`The text of these captions has changed since this version.`, {
    field: 'input.ifVersion',
    suggestedFix: t`Read version and vtt again, repeat your changes on that text, and send its version.`,
  });
}

function captionsNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There are no such captions, or they are not visible to this account.`, {
    field,
    suggestedFix: t`Check the id; content.captions lists those of a content.`,
  });
}

function partOfTheFile(field: string): AppError {
  return new AppError('INVALID_INPUT', t`These captions are part of the video file.`, {
    field,
    suggestedFix: t`Add your own with createContentCaptions, or upload the video without them.`,
  });
}

function readCaptionsId(env: RequestEnv, id: string): string {
  return env.parseDid(id, ['captions'], 'id').id;
}
