import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type CommentPartsFragment,
  CreateComment,
  type InboxCommentFragment,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import type { Selection } from '../../../lib/hooks/use-selection.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { CommentForm } from '../../comments/comment-form.tsx';
import { CommentItem } from '../../comments/comment-item.tsx';
import { CommentSectionProvider } from '../../comments/comment-section-context.ts';
import { type Decision, reviewComments } from './review-comments.ts';

/** Who reads the inbox, and of which channel. */
export interface InboxChannel {
  readonly id: string;
  readonly title: string;
  readonly username: string;
}

interface Properties {
  readonly comment: InboxCommentFragment;
  readonly channel: InboxChannel;
  /** Null: comments cannot be selected. */
  readonly selection: Selection | null;
  readonly onChange: (comment: CommentPartsFragment) => void;
  readonly onStale: () => void;
}

/** A comment with the video it is on; reply, heart, pin and block in place. */
export function InboxRow({ comment, channel, selection, onChange, onStale }: Properties) {
  const [replying, setReplying] = useState(false);
  const { id, content, author, status } = comment;
  const username = author?.username;
  const reply = async (body: string): Promise<void> => {
    if (content) await api(CreateComment, { contentId: content.id, body, parent: id });
    setReplying(false);
    onStale();
  };
  const section = {
    contentId: content?.id ?? '',
    channelId: channel.id,
    channelTitle: channel.title,
    moderates: true,
    hasVideo: false,
    open: true,
    username: channel.username,
    onChange,
    onStale,
  };
  return (
    <li aria-label={username ? t`Comment by ${username}` : t`Comment by a deleted account`} className="flex gap-3 py-4">
      {selection && (
        <input
          type="checkbox"
          aria-label={username ? t`Select the comment by ${username}` : t`Select the comment by a deleted account`}
          checked={selection.ids.has(id)}
          onChange={(event) => selection.set([id], event.currentTarget.checked)}
          className="mt-3 size-4.5 shrink-0 accent-accent"
        />
      )}
      <div className="min-w-0 grow space-y-3">
        <CommentSectionProvider value={section}>
          <CommentItem comment={comment} onReply={content ? () => setReplying(true) : null} replying={replying} />
        </CommentSectionProvider>
        {status === 'HELD' && <Review id={id} onReviewed={onStale} />}
        {replying && (
          <CommentForm
            label={username ? t`Reply to ${username}` : t`Reply to a deleted account`}
            send={t`Reply`}
            onSend={reply}
            onCancel={() => setReplying(false)}
          />
        )}
      </div>
      {content && <VideoLink content={content} />}
    </li>
  );
}

function VideoLink({ content }: { content: NonNullable<InboxCommentFragment['content']> }) {
  return (
    <Link
      to="/w/$code"
      params={{ code: content.shortCode }}
      className="group w-20 shrink-0 space-y-1 text-sm text-muted hover:text-fore sm:w-32"
    >
      <ResponsiveImage
        image={pickImage(content.assets.images, 'THUMBNAIL', 'POSTER')}
        decorative
        sizes="8rem"
        className="aspect-video w-full rounded-md"
      />
      <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
        {content.metadata.title}
      </span>
    </Link>
  );
}

/** Publishes or removes a held comment. */
function Review({ id, onReviewed }: { id: string; onReviewed: () => void }) {
  const action = useAction();
  const review = (decision: Decision) =>
    action.run(decision, async () => {
      const { failures } = await reviewComments(decision, [id], onReviewed);
      if (failures[0] !== undefined) throw new ApiError({ message: failures[0] });
    });
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap gap-2">
        <Button busy={action.busy === 'approve'} onClick={() => review('approve')}>{t`Approve`}</Button>
        <Button look="quiet" busy={action.busy === 'reject'} onClick={() => review('reject')}>{t`Remove`}</Button>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </div>
  );
}
