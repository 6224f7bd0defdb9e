import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ApproveComments,
  type HeldCommentFragment,
  HeldComments,
  RejectComments,
  type StudioCommentsResult,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { watchPath } from '../../../lib/did.ts';
import { ago } from '../../../lib/format.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useRowFocus } from '../../../lib/use-row-focus.ts';
import { useSelection } from '../../../lib/use-selection.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';

type Page = NonNullable<NonNullable<StudioCommentsResult['channel']>['heldComments']>;

const REASONS = {
  ALL: 'all comments on this video are held',
  BLOCKED_WORD: 'contains a blocked word',
  LINK: 'contains a link',
  MODERATOR: 'held by a moderator',
} as const;

/** Comments held for review, oldest first, with bulk actions. */
export function HeldQueue({ channelId, first }: { channelId: string; first: Page }) {
  const [comments, setComments] = useState<readonly HeldCommentFragment[]>(first.edges.map(({ node }) => node));
  const [remaining, setLeft] = useState(first.totalCount);
  const [pageInfo, setPageInfo] = useState(first.pageInfo);
  const selection = useSelection();
  const rows = useRowFocus<HTMLUListElement>();
  const [report, setReport] = useState<readonly string[]>([]);
  const action = useAction();
  const decide = async (decision: 'approve' | 'reject', ids: readonly string[]): Promise<void> => {
    const results = await inBatches(ids, async (some) =>
      decision === 'approve'
        ? (await api(ApproveComments, { ids: some })).approveComments.results
        : (await api(RejectComments, { ids: some })).rejectComments.results,
    );
    const done = new Set(results.filter(({ ok }) => ok).map(({ id }) => id));
    setReport([...new Set(results.flatMap(({ error }) => (error ? [error.message] : [])))]);
    setComments((known) => known.filter(({ id }) => !done.has(id)));
    selection.set([...done], false);
    setLeft((count) => count - done.size);
  };
  const more = async (): Promise<void> => {
    const page = (await api(HeldComments, { id: channelId, after: pageInfo.endCursor })).channel?.heldComments;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setComments((known) => [...known, ...page.edges.map(({ node }) => node)]);
  };
  const run = (decision: 'approve' | 'reject', ids: readonly string[]): void =>
    action.run(decision, () => decide(decision, ids));
  return (
    <Panel
      title="Held for review"
      hint={remaining === 0 ? 'No comments are held for review.' : `${remaining} held, oldest first.`}
    >
      {comments.length > 1 && (
        <SelectionBar all={comments.map(({ id }) => id)} selection={selection}>
          <Button
            disabled={selection.ids.size === 0}
            busy={action.busy === 'approve'}
            onClick={() => run('approve', [...selection.ids])}
          >
            Approve selected
          </Button>
          <Button
            disabled={selection.ids.size === 0}
            busy={action.busy === 'reject'}
            onClick={() => run('reject', [...selection.ids])}
          >
            Reject selected
          </Button>
        </SelectionBar>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      <FailureList lines={report} />
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {comments.map((comment) => (
          <HeldRow
            key={comment.id}
            comment={comment}
            selected={selection.ids.has(comment.id)}
            onSelect={(on) => selection.set([comment.id], on)}
            onDecide={(decision) => run(decision, [comment.id])}
          />
        ))}
      </ul>
      {pageInfo.hasNextPage && (
        <p className="text-center">
          <Button busy={action.busy === 'more'} onClick={() => action.run('more', more)}>
            Show more
          </Button>
        </p>
      )}
    </Panel>
  );
}

interface RowProperties {
  readonly comment: HeldCommentFragment;
  readonly selected: boolean;
  readonly onSelect: (selected: boolean) => void;
  readonly onDecide: (decision: 'approve' | 'reject') => void;
}

function HeldRow({ comment, selected, onSelect, onDecide }: RowProperties) {
  const who = comment.author?.username ?? 'a deleted account';
  return (
    <li aria-label={`Comment by ${who}`} className="flex gap-3 py-4">
      <input
        type="checkbox"
        aria-label={`Select the comment by ${who}`}
        checked={selected}
        onChange={(event) => onSelect(event.currentTarget.checked)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <div className="min-w-0 space-y-2">
        <p className="text-sm text-muted">
          @{who} · {ago(comment.createdAt, Date.now())}
          {comment.content && (
            <>
              {' on '}
              <Link
                to="/watch/$"
                params={{ _splat: watchPath(comment.content.id) }}
                className="text-accent-text underline underline-offset-3"
              >
                {comment.content.metadata.title}
              </Link>
            </>
          )}
          {comment.heldFor && ` · ${REASONS[comment.heldFor]}`}
        </p>
        <p className="whitespace-pre-line [overflow-wrap:anywhere]">{comment.body}</p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onDecide('approve')}>Approve</Button>
          <Button look="quiet" onClick={() => onDecide('reject')}>
            Reject
          </Button>
        </div>
      </div>
    </li>
  );
}
