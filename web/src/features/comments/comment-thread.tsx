import { useEffect, useState } from 'react';
import {
  type CommentPartsFragment,
  type CommentThreadResult,
  CreateComment,
  CommentThread as ThreadOf,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { shortCount } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { useSignedIn } from '../../lib/use-signed-in.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { CommentForm } from './comment-form.tsx';
import { CommentItem } from './comment-item.tsx';
import { CommentSectionProvider, useCommentSection } from './comment-section-context.ts';
import type { Thread } from './threads.ts';

type Page = NonNullable<CommentThreadResult['comment']>['thread'];

/** The first comment of a thread, and on demand all answers in it, however deep, the oldest first. */
export function CommentThread({ start }: { start: Thread }) {
  const place = useCommentSection();
  const whenSignedIn = useSignedIn();
  const [open, setOpen] = useState(false);
  const [loaded, setAnswers] = useState<readonly CommentPartsFragment[]>([]);
  const answers = byAge([...(start.arrived ?? []), ...loaded]);
  const [answering, setAnswering] = useState<string | null>(null);
  const total = Math.max(start.thread.totalCount, answers.length);
  const replyTo = (id: string): (() => void) | null => (place.open ? () => whenSignedIn(() => setAnswering(id)) : null);
  const send = async (body: string): Promise<void> => {
    const { createComment } = await api(CreateComment, { contentId: place.contentId, body, parent: answering });
    setAnswers((known) => byAge([...known, createComment]));
    setAnswering(null);
    setOpen(true);
  };
  const onChange = (changed: CommentPartsFragment): void => {
    if (changed.id === start.id) place.onChange(changed);
    else setAnswers((known) => byAge([...known, changed]));
  };
  const form = <CommentForm label="Add a reply" send="Reply" onSend={send} onCancel={() => setAnswering(null)} />;
  return (
    <CommentSectionProvider value={{ ...place, onChange }}>
      <li className="space-y-3">
        <CommentItem comment={start} onReply={replyTo(start.id)} answering={answering === start.id} />
        <div className="space-y-4 pl-5 sm:pl-13">
          {answering === start.id && form}
          {total > 0 && (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="-ml-2 inline-flex min-h-9 items-center gap-1.5 rounded-lg px-2 text-sm font-semibold text-accent-text hover:bg-raised"
            >
              <Icon name="chevron" className={`size-4 transition-transform ${open ? 'rotate-180' : ''}`} />
              {total === 1 ? '1 reply' : `${shortCount(total)} replies`}
            </button>
          )}
          {open && <Answers start={start} own={loaded} onLoad={setAnswers} />}
          {open && (
            <ul className="space-y-4">
              {answers.map((answer) => (
                <li key={answer.id} className="space-y-3">
                  <CommentItem comment={answer} onReply={replyTo(answer.id)} answering={answering === answer.id} />
                  {answering === answer.id && <div className="pl-11">{form}</div>}
                </li>
              ))}
            </ul>
          )}
        </div>
      </li>
    </CommentSectionProvider>
  );
}

/** Each once, as it was given last; the oldest first. */
function byAge(answers: readonly CommentPartsFragment[]): readonly CommentPartsFragment[] {
  const all = new Map(answers.map((each) => [each.id, each])).values();
  return [...all].sort((one, other) => one.createdAt.localeCompare(other.createdAt));
}

interface AnswersProperties {
  readonly start: Thread;
  readonly own: readonly CommentPartsFragment[];
  readonly onLoad: (answers: readonly CommentPartsFragment[]) => void;
}

/** Loads the answers, the first page at once and others on demand; what was just written stays after them. */
function Answers({ start, own, onLoad }: AnswersProperties) {
  const [page, setPage] = useState<Page['pageInfo'] | null>(null);
  const action = useAction();
  const load = async (after: string | null, known: readonly CommentPartsFragment[]): Promise<void> => {
    const { comment } = await api(ThreadOf, { id: start.id, after });
    if (!comment) return;
    onLoad(byAge([...known, ...comment.thread.edges.map(({ node }) => node)]));
    setPage(comment.thread.pageInfo);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thread; later pages come by the button
  useEffect(() => action.run('answers', () => load(null, own)), [start.id]);
  return (
    <>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {action.busy !== null && page === null && (
        <p role="status" className="flex items-center gap-2 text-sm text-muted">
          <Spinner /> Loading replies…
        </p>
      )}
      {page?.hasNextPage && (
        <Button look="quiet" busy={action.busy !== null} onClick={() => action.run('answers', () => load(page.endCursor, own))}>
          Show more replies
        </Button>
      )}
    </>
  );
}
