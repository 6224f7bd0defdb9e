import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readText } from '../../../kernel/text.ts';
import { judgeHasVideo, judgeOwnership, readContentFacts } from '../content.policy.ts';
import { readContentId } from '../content-commands.ts';
import { CHAPTERS_FACTS, type NewChapters, setChaptersCtes } from './chapters.store.ts';
import { type Chapter, type ChaptersFault, judgeChapters, MAX_CHAPTER_TITLE, MAX_CHAPTERS } from './chapters.ts';

interface ChapterInput {
  readonly startSeconds: number;
  readonly title: string;
}

/** Far beyond any video; keeps the start an exact number of milliseconds. */
const LATEST_SECONDS = 1e7;
const FIELD = 'input.chapters';

/** Sets the chapters of an own content, or with an empty list removes them. One round trip. */
export const setContentChapters: StatementCommand<
  { readonly id: string; readonly input: { readonly chapters: readonly ChapterInput[] } },
  NewChapters
> = {
  prepare({ id, input }, env) {
    const target = readContentId(env, id, 'id');
    const none = judgeHasVideo(target.kind, 'id');
    if (none) throw none;
    if (input.chapters.length === 0) return { ...target, chapters: null };
    // Before the titles of a list that is far too long are looked at.
    const chapters = input.chapters.length > MAX_CHAPTERS ? input.chapters.map(unread) : input.chapters.map(readChapter);
    throwFault(judgeChapters(chapters, null));
    return { ...target, chapters };
  },
  payload: ({ id }) => id,
  row: 'changed',
  ctes: setChaptersCtes,
  returns: () => CHAPTERS_FACTS,
  check(outcome, { chapters }) {
    const refused = judgeOwnership(readContentFacts(outcome), 'id');
    if (refused) throw refused;
    if (chapters && outcome.durationMs !== null) throwFault(judgeChapters(chapters, Number(outcome.durationMs)));
  },
};

function readChapter({ startSeconds, title }: ChapterInput, index: number): Chapter {
  const path = `${FIELD}.${index}`;
  if (!(startSeconds >= 0 && startSeconds <= LATEST_SECONDS)) {
    throw new AppError('INVALID_INPUT', `${path}.startSeconds is no time of a video.`, {
      field: `${path}.startSeconds`,
      suggestedFix: 'Send the seconds from the beginning of the video, 0 for the first chapter.',
    });
  }
  return {
    startMs: Math.round(startSeconds * 1000),
    title: readText(title, { field: `${path}.title`, maxLength: MAX_CHAPTER_TITLE, required: true }),
  };
}

function unread(): Chapter {
  return { startMs: 0, title: '' };
}

function throwFault(fault: ChaptersFault | null): void {
  if (!fault) return;
  const { index, message, suggestedFix } = fault;
  throw new AppError('INVALID_INPUT', message, { field: index === null ? FIELD : `${FIELD}.${index}.startSeconds`, suggestedFix });
}
