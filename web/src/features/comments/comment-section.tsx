import { useRef, useState } from 'react';
import { type CommentMode, type CommentSort, CreateComment } from '../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { api } from '../../lib/api.ts';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { t, tc } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { useUser } from '../../lib/session.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { CommentForm } from './comment-form.tsx';
import { type CommentSectionContext, CommentSectionProvider } from './comment-section-context.ts';
import { CommentThread } from './comment-thread.tsx';
import { NewComments } from './new-comments.tsx';
import type { Thread } from './threads.ts';
import { useLiveComments } from './use-live-comments.ts';
import { useNamedThread, useThreads } from './use-threads.ts';

interface Properties {
  readonly content: {
    readonly id: string;
    readonly status: string;
    readonly commentCount: number;
    readonly commentSettings: { readonly mode: CommentMode };
    readonly channel: {
      readonly id: string;
      readonly viewerRole: string | null;
      readonly metadata: { readonly title: string };
    };
  };
  /** Id of the comment that the viewer came for, with its thread first. */
  readonly named?: string | undefined;
  /** False where what is around it is titled like it. */
  readonly isTitled?: boolean;
}

/** The comments of a content, and the form to add one. */
export function CommentSection({ content, named, isTitled = true }: Properties) {
  const user = useUser();
  const [sort, setSort] = useState<CommentSort>('TOP');
  const comments = useThreads(content.id, sort);
  const { thread: namedThread, ...namedComment } = useNamedThread(content.id, named);
  const live = useLiveComments(content.id, user?.username ?? null, comments.threads);
  const [more, setMore] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const total = content.commentCount + more;
  const add = (added: readonly Thread[]): void => {
    comments.add(added);
    setMore((before) => before + added.length);
  };
  const showNew = (): void => {
    add(live.newComments);
    live.clear();
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('article')?.focus({ preventScroll: true }));
  };
  const { mode } = content.commentSettings;
  const listed = comments.threads.find(({ id }) => id === namedThread?.id) ?? namedThread;
  const threads = listed ? [listed, ...comments.threads.filter(({ id }) => id !== listed.id)] : comments.threads;
  const member = content.channel.viewerRole !== null;
  const section: CommentSectionContext = {
    contentId: content.id,
    channelId: content.channel.id,
    channelTitle: content.channel.metadata.title,
    hasVideo: true,
    moderates: member && content.channel.viewerRole !== 'VIEWER',
    open: mode === 'MEMBERS_ONLY' ? member : mode !== 'DISABLED',
    username: user?.username ?? null,
    onChange: (changed) => {
      comments.change(changed);
      namedComment.change(changed);
    },
    onStale: () => {
      comments.reload();
      if (named) namedComment.reload();
    },
  };
  return (
    <CommentSectionProvider value={section}>
      <section aria-labelledby="comments" className="space-y-6">
        <div className="flex min-h-9 items-center gap-x-4 sm:gap-x-6">
          <h2 id="comments" className={isTitled ? 'text-lg font-semibold' : 'sr-only'}>
            {t`Comments`}
            {total > 0 && <span className="ps-2 font-normal text-muted tabular-nums">{count(total)}</span>}
          </h2>
          {comments.threads.length > 1 && <SortChoice sort={sort} onChoose={setSort} />}
          <NewComments count={live.newComments.length} onShow={showNew} />
        </div>
        <Entry mode={mode} open={section.open} onWrite={(written) => add([written])} contentId={content.id} />
        {comments.error !== null && <ErrorNotice error={comments.error} />}
        {comments.threads.length === 0 && comments.isLoaded && section.open && (
          <p className="text-muted">{t`No comments yet. Be the first to comment.`}</p>
        )}
        {!comments.isLoaded && comments.busy && (
          <p role="status" className="flex items-center gap-2 text-muted">
            <Spinner />
            {t`Loading comments…`}
          </p>
        )}
        <ul ref={list} className="space-y-6">
          {threads.map((thread) => (
            <CommentThread
              key={`${comments.reloads} ${thread.id} ${thread.id === namedThread?.id}`}
              start={thread}
              named={thread.id === namedThread?.id ? named : undefined}
            />
          ))}
        </ul>
        {comments.more && (
          <p className="text-center">
            <Button busy={comments.busy} onClick={comments.more}>{t`Show more comments`}</Button>
          </p>
        )}
      </section>
    </CommentSectionProvider>
  );
}

const SORTS = [
  ['TOP', t`Top`],
  ['NEWEST', t`Newest`],
] as const;

function SortChoice({ sort, onChoose }: { sort: CommentSort; onChoose: (sort: CommentSort) => void }) {
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{t`Sort comments by`}</legend>
      {SORTS.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={sort === value}
          onClick={() => onChoose(value)}
          className={
            'min-h-9 rounded-lg px-3 text-sm font-medium text-muted ' +
            'hover:bg-raised aria-pressed:bg-raised aria-pressed:text-fore'
          }
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
  if (!isSwitchedOn('COMMENTS')) return null;
  if (!open) {
    const message =
      mode === 'DISABLED'
        ? t`Comments are turned off for this video.`
        : t`Only channel members can comment on this video.`;
    return <p className="rounded-xl border border-line bg-surface px-4 py-3 text-muted">{message}</p>;
  }
  if (user === null) {
    return <Button onClick={() => whenSignedIn(() => undefined)}>{t`Sign in to comment`}</Button>;
  }
  return (
    <>
      <CommentForm
        label={t`Add a comment`}
        send={tc('verb', 'Comment')}
        onSend={async (body) => onWrite((await api(CreateComment, { contentId, body })).createComment)}
      />
      {mode === 'HOLD_ALL' && (
        <p className="text-sm text-muted">{t`Comments appear after the channel has reviewed them.`}</p>
      )}
    </>
  );
}
