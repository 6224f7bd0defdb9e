import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ChannelCommentFilter, InboxCommentFragment } from '../../../gql/generated/operations.gen.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { useSelection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { Button, Spinner } from '../../../ui/button.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { EXACT, TAB, TabRow } from '../../../ui/tabs.tsx';
import { type InboxChannel, InboxRow } from './inbox-row.tsx';
import { type Decision, reviewComments } from './review-comments.ts';
import { inboxQuery, useInboxPages, useLiveInbox } from './use-inbox.ts';

const TABS: readonly (readonly [ChannelCommentFilter, string, string])[] = [
  ['ALL', t`All`, t`No comments yet. Comments on all videos of the channel appear here.`],
  ['UNANSWERED', t`Unanswered`, t`Every comment has an answer.`],
  ['HELD', t`Held for review`, t`No comments are held for review.`],
];

/** The comments on all videos of a channel, with what moderators can do about each. */
export function CommentInbox({ channel, filter }: { channel: InboxChannel; filter: ChannelCommentFilter }) {
  const empty = TABS.find(([value]) => value === filter)?.[2] ?? '';
  const held = useQuery(inboxQuery(channel.id, 'HELD')).data?.totalCount ?? 0;
  return (
    <section aria-label={t`Comments on your videos`} className="space-y-4">
      <TabRow label={t`Comments`}>
        {TABS.map(([value, name]) => (
          <li key={value}>
            <Link
              to="/studio/comments"
              search={value === 'ALL' ? {} : { filter: value }}
              activeOptions={EXACT}
              className={TAB}
            >
              {name}
              {value === 'HELD' && held > 0 && (
                <span className="rounded-full bg-raised px-2 text-sm tabular-nums">{count(held)}</span>
              )}
            </Link>
          </li>
        ))}
      </TabRow>
      <InboxList key={filter} channel={channel} filter={filter} empty={empty} />
    </section>
  );
}

function InboxList({ channel, filter, empty }: { channel: InboxChannel; filter: ChannelCommentFilter; empty: string }) {
  const pages = useInboxPages(channel.id, filter);
  const live = useLiveInbox(channel.id, pages.reload);
  const rows = useRowFocus<HTMLUListElement>();
  const selection = useSelection();
  const { comments } = pages;
  if (pages.isLoading) return <Spinner className="mx-auto size-6" />;
  return (
    <div className="space-y-4">
      {filter === 'HELD' && comments.length > 1 && (
        <Review comments={comments} selection={selection} onReviewed={pages.reload} />
      )}
      {pages.error !== null && (
        <ErrorNotice error={pages.error} action={<Button onClick={pages.reload}>{t`Try again`}</Button>} />
      )}
      {comments.length === 0 && pages.error === null && <p className="text-muted">{empty}</p>}
      <ul {...rows} className="divide-y divide-line empty:hidden">
        {comments.map((comment) => (
          <InboxRow
            key={comment.id}
            comment={comment}
            channel={channel}
            selection={filter === 'HELD' && comments.length > 1 ? selection : null}
            onChange={pages.change}
            onStale={pages.reload}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {live}
      </p>
      {pages.hasMore && (
        <p className="text-center">
          <Button busy={pages.isFetchingMore} onClick={pages.more}>{t`Show more`}</Button>
        </p>
      )}
    </div>
  );
}

interface ReviewProperties {
  readonly comments: readonly InboxCommentFragment[];
  readonly selection: ReturnType<typeof useSelection>;
  readonly onReviewed: () => void;
}

/** Approves or removes several held comments. */
function Review({ comments, selection, onReviewed }: ReviewProperties) {
  const action = useAction();
  const [failures, setFailures] = useState<readonly string[]>([]);
  const chosen = comments.map(({ id }) => id).filter((id) => selection.ids.has(id));
  const review = async (decision: Decision): Promise<void> => {
    const reviewed = await reviewComments(decision, chosen, onReviewed);
    setFailures(reviewed.failures);
    selection.set(reviewed.done, false);
  };
  return (
    <div className="space-y-3">
      <SelectionBar all={comments.map(({ id }) => id)} selection={selection}>
        {(['approve', 'reject'] as const).map((decision) => (
          <Button
            key={decision}
            disabled={chosen.length === 0}
            busy={action.busy === decision}
            onClick={() => action.run(decision, () => review(decision))}
          >
            {decision === 'approve' ? t`Approve selected` : t`Remove selected`}
          </Button>
        ))}
      </SelectionBar>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <FailureList lines={failures} />
    </div>
  );
}
