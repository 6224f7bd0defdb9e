import type { StatementCommand } from '../../gql/index.ts';
import { CONTENT_KINDS } from '../../kernel/content-kinds.ts';
import { AppError } from '../../kernel/errors.ts';
import { judgeContentAction, judgeOwnership, readContentFacts } from './content.policy.ts';
import type { ContentTarget } from './content-commands.store.ts';
import { readContentId } from './content-commands.ts';
import { deleteContentCtes, restoreContentCtes, TRASH_FACTS } from './trash.store.ts';

type OnTrash = StatementCommand<{ readonly id: string }, ContentTarget>;

/** The parts that the commands of the trash share. */
const onTrash = {
  prepare: ({ id }, env) => readContentId(env, id, 'id'),
  returns: () => TRASH_FACTS,
} satisfies Partial<OnTrash>;

/** Puts an own content into the trash, with what it contains. One round trip; repeating it changes nothing. */
export const deleteContent: OnTrash = {
  ...onTrash,
  payload: ({ id, kind }, env) => ({ id: env.did(CONTENT_KINDS[kind].did, id) }),
  ctes: deleteContentCtes,
  check(outcome) {
    const refused = judgeContentAction('delete', readContentFacts(outcome), 'id');
    if (refused) throw refused;
  },
};

/** Takes an own content out of the trash. One round trip; repeating it changes nothing. */
export const restoreContent: OnTrash = {
  ...onTrash,
  payload: ({ id }) => id,
  row: 'changed',
  ctes: restoreContentCtes,
  check(outcome) {
    const refused = judgeOwnership(readContentFacts(outcome), 'id');
    if (refused) throw refused;
    if (outcome.trashed === true && outcome.parentTrashed === true) {
      throw new AppError('INVALID_INPUT', 'This content belongs to one that is in the trash itself.', {
        field: 'id',
        suggestedFix: 'Restore the series, season or miniseries it belongs to first (channel.trash lists it), then this content.',
      });
    }
  },
  conflicts: {
    contents_number_taken: () =>
      new AppError('RESOURCE_ALREADY_EXISTS', 'Its number was given to another content at the same moment, or no higher number is left.', {
        field: 'id',
        suggestedFix: 'Call restoreContent again; if that fails too, close gaps with renumberEpisodes or renumberSeasons first.',
      }),
  },
};
