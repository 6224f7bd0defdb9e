import type { CommandScope } from '../../gql/index.ts';
import type { ContentTarget } from '../catalog/index.ts';

/** Removes one content from the history of the account. */
export function forgetOneCtes(s: CommandScope<ContentTarget>): Record<string, string> {
  return {
    removed: `delete from watch_positions p using ${s.allowed} a
              where p.account_id = a.account_id and p.content_id = ${s.value((input) => input.id, 'uuid')} returning p.content_id`,
  };
}

/** Removes everything from the history of the account. */
export function forgetAllCtes(s: CommandScope<null>): Record<string, string> {
  return { removed: `delete from watch_positions p using ${s.allowed} a where p.account_id = a.account_id returning p.content_id` };
}
