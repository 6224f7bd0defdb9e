import { type ArgBuilder, countRows, type EntityRef, type Graph, type RowScope } from '../../../gql/index.ts';
import { isVisibleContent } from '../../catalog/index.ts';
import { tokenAllows } from '../../channels/index.ts';
import { isInWatchLater, MAX_WATCH_LATER, WATCH_LATER_CONTENTS } from './watch-later.sql.ts';
import { addToWatchLater, removeFromWatchLater } from './watch-later.ts';

/** Declares the list of what the account wants to watch later, and the mutations that change it. */
export function declareWatchLater(
  graph: Graph,
  { Me, Content }: { readonly Me: EntityRef; readonly Content: EntityRef },
): void {
  const listed = (child: string, s: RowScope) =>
    `${child}.wanted_by = ${s.t}.account_id and ${isVisibleContent(child, s)}${tokenAllows(s, null, child)}`;
  graph.extend(Me, (f) => ({
    watchLater: f.connection({
      type: Content,
      description: 'Contents that the account saved to watch later and may watch, last added first.',
      from: WATCH_LATER_CONTENTS,
      where: listed,
      order: (child) => [`${child}.wanted_at`, `${child}.id`],
      total: (s) => countRows(WATCH_LATER_CONTENTS, (row) => listed(row, s), MAX_WATCH_LATER),
    }),
  }));
  graph.extend(Content, (f) => ({
    isInWatchLater: f.column({
      type: 'Boolean',
      description: 'Whether the viewer saved it to watch later; false without an account.',
      sql: (s) => isInWatchLater(`${s.t}.id`, s),
    }),
  }));
  const id = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) });
  graph.mutation('addToWatchLater', {
    access: 'account:update',
    description:
      "Saves a content in the account's list Watch later, at its beginning. Idempotent. The list has at most " +
      `${MAX_WATCH_LATER.toLocaleString('en')} contents and is visible to the account only.`,
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args: id,
    statement: addToWatchLater,
  });
  graph.mutation('removeFromWatchLater', {
    access: 'account:update',
    description: "Removes a content from the account's list Watch later. Idempotent.",
    payload: (f) => ({
      ok: f.value({ type: 'Boolean', description: 'Always true: the content is not on the list.' }),
      content: f.read({
        type: Content,
        nullable: true,
        description: 'The content; null if the account may no longer see it.',
      }),
    }),
    args: id,
    statement: removeFromWatchLater,
  });
}
