import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { ContentTarget } from '../../catalog/index.ts';

/** The requesting account, whose history it is. */
export const HISTORY_TARGET = {
  field: 'id',
  columns: (s) => ({ account_id: `${s.viewer}.account_id` }),
} satisfies CommandTarget<unknown>;

/** Removes one content from the history of the account. */
export function forgetOneWrites(s: CommandScope<ContentTarget>): Record<string, string> {
  return {
    removed: `delete from watch_positions p using permitted t
              where p.account_id = t.account_id and p.content_id = ${s.value((input) => input.id, 'uuid')}
                returning p.content_id`,
  };
}

/** Removes everything from the history of the account. */
export function forgetAllWrites(): Record<string, string> {
  return {
    removed: 'delete from watch_positions p using permitted t where p.account_id = t.account_id returning p.content_id',
  };
}
