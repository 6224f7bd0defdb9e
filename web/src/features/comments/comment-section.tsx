import { useCallback, useEffect, useState } from 'react';
import {
  type CommentMode,
  type CommentPartsFragment,
  type CommentSort,
  Comments,
  type CommentsResult,
  WriteComment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useUser } from '../../lib/session.ts';
import { useAction } from '../../lib/use-action.ts';
import { useSignedIn } from '../../lib/use-signed-in.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { type CommentPlace, CommentPlaceProvider } from './comment-context.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentThread } from './comment-thread.tsx';

type Page = CommentsResult['comments'];
type Thread = Page['edges'][number]['node'];

interface Properties {
  readonly content: {
    readonly id: string;
    readonly status: string;
    readonly commentCount: number;
    readonly commentSettings: { readonly mode: CommentMode };
    readonly channel: { readonly id: string; readonly viewerRole: string | null; readonly metadata: { readonly title: string } };
  };
}

/** What people say about a content, and where one says something oneself. */
export function CommentSection({ content }: Properties) {
  const user = useUser();
  const [sort, setSort] = useState<CommentSort>('TOP');
  const comments = useThreads(content.id, sort);
  const { mode } = content.commentSettings;
  const member = content.channel.viewerRole !== null;
  const place: CommentPlace = {
    contentId: content.id,
    channelId: content.channel.id,
    channelTitle: content.channel.metadata.title,
    moderates: member && content.channel.viewerRole !== 'VIEWER',
    open: mode === 'MEMBERS_ONLY' ? member : mode !== 'DISABLED',
    username: user?.username ?? null,
    onChange: comments.change,
    onStale: comments.reload,
  };
  return (
    <CommentPlaceProvider value={place}>
      <section aria-labelledby="comments" className="space-y-6">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <h2 id="comments" className="text-lg font-semibold">
            Comments
            {content.commentCount > 0 && <span className="pl-2 font-normal text-muted tabular-nums">{content.commentCount}</span>}
          </h2>
          {comments.threads.length > 1 && <SortChoice sort={sort} onChoose={setSort} />}
        </div>
        <Entry mode={mode} open={place.open} onWrite={comments.add} contentId={content.id} />
        {comments.action.error !== null && <ErrorNotice error={comments.action.error} />}
        {comments.threads.length === 0 && comments.known && place.open && (
          <p className="text-muted">No comments yet. Say the first word.</p>
        )}
        {!comments.known && comments.action.busy !== null && (
          <p role="status" className="flex items-center gap-2 text-muted">
            <Spinner /> Loading the comments …
          </p>
        )}
        <ul className="space-y-6">
          {comments.threads.map((thread) => (
            <CommentThread key={`${comments.round} ${thread.id}`} start={thread} />
          ))}
        </ul>
        {comments.more && (
          <p className="text-center">
            <Button busy={comments.action.busy !== null} onClick={comments.more}>
              Show more comments
            </Button>
          </p>
        )}
      </section>
    </CommentPlaceProvider>
  );
}

/** The threads of a content in one order: loaded by pages, changed where they stand, asked for again when they are stale. */
function useThreads(contentId: string, sort: CommentSort) {
  const [threads, setThreads] = useState<readonly Thread[]>([]);
  const [page, setPage] = useState<Page['pageInfo'] | null>(null);
  const [round, setRound] = useState(0);
  const action = useAction();
  const { run } = action;
  const load = useCallback(
    async (after: string | null): Promise<void> => {
      const { comments } = await api(Comments, { contentId, sort, after });
      const found = comments.edges.map(({ node }) => node);
      setThreads((known) => (after === null ? found : [...new Map([...known, ...found].map((each) => [each.id, each])).values()]));
      setPage(comments.pageInfo);
    },
    [contentId, sort],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is another function each time and always the same
  useEffect(() => run('load', () => load(null)), [load]);
  const reload = (): void =>
    run('load', async () => {
      await load(null);
      setRound((before) => before + 1);
    });
  return {
    threads,
    round,
    action,
    known: page !== null,
    reload,
    add: (thread: Thread) => setThreads((all) => [thread, ...all.filter(({ id }) => id !== thread.id)]),
    change: (changed: CommentPartsFragment) =>
      setThreads((all) => all.map((each) => (each.id === changed.id ? { ...each, ...changed } : each))),
    more: page?.hasNextPage ? () => run('load', () => load(page.endCursor)) : null,
  };
}

const SORTS = [
  ['TOP', 'Top'],
  ['NEWEST', 'Newest'],
] as const;

function SortChoice({ sort, onChoose }: { sort: CommentSort; onChoose: (sort: CommentSort) => void }) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Order of the comments</legend>
      {SORTS.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={sort === value}
          onClick={() => onChoose(value)}
          className="min-h-9 rounded-lg px-3 text-sm font-medium text-muted hover:bg-raised aria-pressed:bg-raised aria-pressed:text-fore"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

interface EntryProperties {
  readonly contentId: string;
  readonly mode: CommentMode;
  readonly open: boolean;
  readonly onWrite: (thread: Thread) => void;
}

function Entry({ contentId, mode, open, onWrite }: EntryProperties) {
  const user = useUser();
  const whenSignedIn = useSignedIn();
  if (!open) {
    const said =
      mode === 'DISABLED' ? 'Comments are switched off for this video.' : 'Only the people of the channel can comment on this video.';
    return <p className="rounded-xl border border-line bg-surface px-4 py-3 text-muted">{said}</p>;
  }
  if (user === null) {
    return <Button onClick={() => whenSignedIn(() => undefined)}>Sign in to comment</Button>;
  }
  return (
    <>
      <CommentForm
        label="Write a comment"
        send="Comment"
        onSend={async (body) => onWrite((await api(WriteComment, { contentId, body })).createComment)}
      />
      {mode === 'HOLD_ALL' && <p className="text-sm text-muted">The channel reviews comments before they are shown.</p>}
    </>
  );
}
