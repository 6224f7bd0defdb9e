import { type RevisionInput, revised, type StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { fact, type Policy, state } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import { CONTENT_CHANGE, type ContentFacts, checkHasVideo } from '../contents/content.policy.ts';
import { readContentId } from '../contents/content-commands.ts';
import { CHAPTERS_TARGET, type NewChapters, SHOWN_CHAPTERS, setChaptersWrites } from './chapters.store.ts';
import {
  beyondTheEnd,
  type Chapter,
  type ChaptersError,
  checkChapters,
  MAX_CHAPTER_TITLE,
  MAX_CHAPTERS,
} from './chapters.ts';

const FIELD = 'input.chapters';

/** The facts for setContentChapters. */
interface ChaptersFacts extends ContentFacts {
  /** Whether all chapters start early enough before the end of the video. */
  readonly inside: boolean;
  /** How many do. */
  readonly early: number;
  readonly durationMs: number;
}

/** Who may set the chapters of a content; they must lie inside its video. */
export const CHAPTERS_CHANGE: Policy<ChaptersFacts> = {
  ...CONTENT_CHANGE,
  requires: [
    ...CONTENT_CHANGE.requires,
    state(fact('inside'), (_, { early, durationMs }) => toAppError(beyondTheEnd(early, durationMs))),
  ],
};

interface Args {
  readonly id: string;
  readonly input: RevisionInput & { readonly chapters: readonly Chapter[] };
}

/** Sets the chapters of the account's content, or removes them with an empty list. One round trip. */
export const setContentChapters: StatementCommand<Args, NewChapters> = revised(
  {
    ...{ row: 'c', fields: {}, changes: ({ chapters }) => ({ chapters: chapters ?? [] }) },
    elsewhere: { chapters: SHOWN_CHAPTERS },
  },
  {
    prepare({ id, input: { chapters: given, ifRevision = null } }, env) {
      const target = { ...readContentId(env, id, 'id'), ifRevision };
      const none = checkHasVideo(target.kind, 'id');
      if (none) throw none;
      if (given.length === 0) return { ...target, chapters: null };
      // Checked before the titles, because the list may be far too long.
      const chapters = given.length > MAX_CHAPTERS ? given.map(unread) : given.map(readChapter);
      requireValid(checkChapters(chapters, null));
      return { ...target, chapters };
    },
    payload: ({ id }) => id,
    row: 'changed',
    target: CHAPTERS_TARGET,
    policy: CHAPTERS_CHANGE,
    writes: setChaptersWrites,
  },
);

function readChapter({ startMs, title }: Chapter, index: number): Chapter {
  const path = `${FIELD}.${index}`;
  if (startMs < 0) {
    throw new AppError('INVALID_INPUT', t`${path}.startMs is not a valid time.`, {
      field: `${path}.startMs`,
      suggestedFix: t`Send the milliseconds from the beginning of the video, 0 for the first chapter.`,
    });
  }
  return {
    startMs,
    title: readText(title, { field: `${path}.title`, maxLength: MAX_CHAPTER_TITLE, required: true }),
  };
}

function unread(): Chapter {
  return { startMs: 0, title: '' };
}

function requireValid(error: ChaptersError | null): void {
  if (error) throw toAppError(error);
}

function toAppError({ index, message, suggestedFix }: ChaptersError): AppError {
  return new AppError('INVALID_INPUT', message, {
    field: index === null ? FIELD : `${FIELD}.${index}.startMs`,
    suggestedFix,
  });
}
