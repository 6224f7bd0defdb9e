import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type CommentPartsFragment,
  CreateComment,
  CommentThread as ThreadOf,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { didSuffix } from '../../lib/did.ts';
import { shortCount } from '../../lib/format.ts';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { CommentSectionProvider, useCommentSection } from './comment-section-context.ts';
import type { Thread } from './threads.ts';

interface Properties {
  readonly start: Thread;
  /** Id of the comment in it that the viewer came for. */
  readonly named?: string | undefined;
}

/** The first comment of a thread and, on demand, all replies to it at any depth, oldest first. */
export function CommentThread({ start, named }: Properties) {
  const section = useCommentSection();
  const whenSignedIn = useSignedIn();
  const isNamed = ({ id }: CommentPartsFragment): boolean => named !== undefined && didSuffix(id) === named;
  const [open, setOpen] = useState(named !== undefined && !isNamed(start));
  const query = useReplies(start.id, open);
  /** Written or changed here since the replies were loaded. */
  const [changed, setChanged] = useState<readonly CommentPartsFragment[]>([]);
  const replies = byAge([...(start.arrived ?? []), ...query.loaded, ...changed]);
  const [replyingTo, setReplyingTo] = useState<string | null>(null);
  const total = Math.max(start.thread.totalCount, replies.length);
  const replyTo = (id: string): (() => void) | null =>
    section.open ? () => whenSignedIn(() => setReplyingTo(id)) : null;
  const send = async (body: string): Promise<void> => {
    const { createComment } = await api(CreateComment, { contentId: section.contentId, body, parent: replyingTo });
    setChanged((known) => [...known, createComment]);
    setReplyingTo(null);
    setOpen(true);
  };
  const onChange = (comment: CommentPartsFragment): void => {
    if (comment.id === start.id) section.onChange(comment);
    else setChanged((known) => [...known, comment]);
  };
  const form = (
    <CommentForm label={t`Add a reply`} send={t`Reply`} onSend={send} onCancel={() => setReplyingTo(null)} />
  );
  return (
    <CommentSectionProvider value={{ ...section, onChange }}>
      <li className="space-y-3">
        <CommentItem
          comment={start}
          isNamed={isNamed(start)}
          onReply={replyTo(start.id)}
          replying={replyingTo === start.id}
        />
        <div className="space-y-4 ps-5 sm:ps-13">
          {replyingTo === start.id && form}
          {total > 0 && (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className={
                '-ms-2 inline-flex min-h-9 items-center gap-1.5 rounded-lg ' +
                'px-2 text-sm font-semibold text-accent-text hover:bg-raised'
              }
            >
              <Icon name="chevron" className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
              {plural(total, { one: '# reply', other: '# replies' }, shortCount(total))}
            </button>
          )}
          {open && <RepliesState replies={query} />}
          {open && (
            <ul className="space-y-4">
              {replies.map((reply) => (
                <li key={reply.id} className="space-y-3">
                  <CommentItem
                    comment={reply}
                    isNamed={isNamed(reply)}
                    onReply={replyTo(reply.id)}
                    replying={replyingTo === reply.id}
                  />
                  {replyingTo === reply.id && <div className="ps-11">{form}</div>}
                </li>
              ))}
            </ul>
          )}
        </div>
      </li>
    </CommentSectionProvider>
  );
}

/** Each comment once, in its last version; oldest first. */
function byAge(replies: readonly CommentPartsFragment[]): readonly CommentPartsFragment[] {
  const all = new Map(replies.map((each) => [each.id, each])).values();
  return [...all].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

function useReplies(id: string, enabled: boolean) {
  const query = useInfiniteQuery({
    queryKey: ['CommentThread', { id }],
    queryFn: async ({ pageParam: after }: { pageParam: string | null }) =>
      (await api(ThreadOf, { id, after })).comment?.thread ?? null,
    initialPageParam: null,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null),
    enabled,
  });
  const loaded = query.data?.pages.flatMap((page) => page?.edges.map(({ node }) => node) ?? []) ?? [];
  return { ...query, loaded };
}

/** Loading state, error and pagination of replies. */
function RepliesState({ replies }: { replies: ReturnType<typeof useReplies> }) {
  return (
    <>
      {replies.error !== null && <ErrorNotice error={replies.error} />}
      {replies.isLoading && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner />
          {t`Loading replies…`}
        </p>
      )}
      {replies.hasNextPage && (
        <Button
          look="quiet"
          busy={replies.isFetchingNextPage}
          onClick={() => void replies.fetchNextPage()}
        >{t`Show more replies`}</Button>
      )}
    </>
  );
}
