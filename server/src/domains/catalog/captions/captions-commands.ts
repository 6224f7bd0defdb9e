import type { RequestEnv, StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { fact, not, type Policy, state } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import { CaptionsError, captionsText, readCaptionsFile } from '../../../media/index.ts';
import { type ContentFacts, contentChange } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import {
  CAPTIONS_TARGET,
  type CaptionsChanges,
  type CaptionsKind,
  createCaptionsWrites,
  deleteCaptionsWrites,
  MAX_CAPTIONS,
  NEW_CAPTIONS_TARGET,
  type NewCaptions,
  updateCaptionsWrites,
} from './captions-commands.store.ts';

type Maybe<T> = T | null | undefined;

/** Half the request limit: JSON may escape every character. */
export const MAX_CAPTIONS_BYTES = 512 * 1024;
export const MAX_LABEL = 80;
const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

type CaptionsFacts = ContentFacts & { readonly blocked: boolean };

/** Who may add captions to a content. */
export const CAPTIONS_CREATION: Policy<CaptionsFacts> = {
  ...contentChange(),
  requires: [...contentChange().requires, state(not(fact('blocked')), tooMany)],
};

/** Who may change captions; those found in the video file cannot be changed. */
export const CAPTIONS_CHANGE: Policy<CaptionsFacts> = {
  ...contentChange(captionsNotFound),
  requires: [...contentChange(captionsNotFound).requires, state(not(fact('blocked')), partOfTheFile)],
};

interface CaptionsInput {
  readonly label?: Maybe<string>;
  readonly kind?: Maybe<CaptionsKind>;
  readonly isDefault?: Maybe<boolean>;
}

/** Adds captions to the account's content, given as SubRip or WebVTT. One round trip. */
export const createContentCaptions: StatementCommand<
  { readonly id: string; readonly input: CaptionsInput & { readonly language: string; readonly text: string } },
  NewCaptions
> = {
  prepare({ id, input }, env) {
    const language = readLanguage(input.language);
    return {
      ...readContentId(env, id, 'id'),
      captionsId: newId(env.nowMs),
      language,
      label: readLabel(input.label) ?? autonymOf(language),
      captionsKind: input.kind ?? 'SUBTITLES',
      isDefault: input.isDefault ?? false,
      vtt: readCaptions(input.text),
    };
  },
  payload: ({ captionsId }) => captionsId,
  row: 'changed',
  target: NEW_CAPTIONS_TARGET,
  policy: CAPTIONS_CREATION,
  writes: createCaptionsWrites,
};

/** Updates captions of the account's content. One round trip. */
export const updateContentCaptions: StatementCommand<
  { readonly id: string; readonly input: CaptionsInput & { readonly language?: Maybe<string>; readonly text?: Maybe<string> } },
  CaptionsChanges
> = {
  prepare: ({ id, input }, env) => ({
    captionsId: readCaptionsId(env, id),
    language: input.language == null ? null : readLanguage(input.language),
    label: readLabel(input.label),
    captionsKind: input.kind ?? null,
    isDefault: input.isDefault ?? null,
    vtt: input.text == null ? null : readCaptions(input.text),
  }),
  payload: ({ captionsId }) => captionsId,
  row: 'changed',
  target: CAPTIONS_TARGET,
  policy: CAPTIONS_CHANGE,
  writes: updateCaptionsWrites,
};

/** Deletes captions of the account's content. One round trip. */
export const deleteContentCaptions: StatementCommand<{ readonly id: string }, { readonly captionsId: string }> = {
  prepare: ({ id }, env) => ({ captionsId: readCaptionsId(env, id) }),
  payload: ({ captionsId }, env) => ({ id: env.did('captions', captionsId) }),
  target: CAPTIONS_TARGET,
  policy: CAPTIONS_CHANGE,
  writes: deleteCaptionsWrites,
};

function tooMany(field: string): AppError {
  return new AppError('INVALID_INPUT', `This content already has ${MAX_CAPTIONS} captions.`, {
    field,
    suggestedFix: 'Remove some with deleteContentCaptions first.',
  });
}

function captionsNotFound(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There are no such captions, or they are not visible to this account.', {
    field,
    suggestedFix: 'Check the id; content.captions lists those of a content.',
  });
}

function partOfTheFile(field: string): AppError {
  return new AppError('INVALID_INPUT', 'These captions are part of the video file.', {
    field,
    suggestedFix: 'Add your own with createContentCaptions, or upload the video without them.',
  });
}

function readCaptionsId(env: RequestEnv, id: string): string {
  return env.parseDid(id, ['captions'], 'id').id;
}

function readLanguage(language: string): string {
  if (LANGUAGE.test(language)) return language;
  throw new AppError('INVALID_INPUT', 'The language is not a BCP 47 tag.', {
    field: 'input.language',
    suggestedFix: 'Send a language, with a script or region where it matters: en, pt-BR, zh-Hant.',
  });
}

function readLabel(label: Maybe<string>): string | null {
  return label == null ? null : readText(label, { field: 'input.label', maxLength: MAX_LABEL, required: true });
}

function autonymOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

/** The file as WebVTT. Throws INVALID_INPUT with the line that has the error. */
function readCaptions(text: string): string {
  const field = 'input.text';
  if (Buffer.byteLength(text) > MAX_CAPTIONS_BYTES) {
    throw new AppError('INVALID_INPUT', 'The captions have more than 512 KiB.', { field, suggestedFix: 'Send a file of at most 512 KiB.' });
  }
  const fault = /[^\P{Cc}\r\n\t]/u.exec(text);
  if (fault || !text.isWellFormed()) {
    throw new AppError('INVALID_INPUT', 'The captions contain a control character or half of a surrogate pair.', {
      field,
      suggestedFix: 'Send the file as UTF-8 text, without control characters.',
    });
  }
  try {
    return captionsText(readCaptionsFile(text));
  } catch (error) {
    if (!(error instanceof CaptionsError)) throw error;
    throw new AppError('INVALID_INPUT', `Line ${error.line}: ${error.message}`, {
      field,
      suggestedFix: `Correct line ${error.line} of the SubRip (.srt) or WebVTT (.vtt) file and send it whole.`,
    });
  }
}
