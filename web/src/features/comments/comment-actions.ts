import {
  ApproveComments,
  BlockUser,
  type CommentPartsFragment,
  DeleteComment,
  HeartComment,
  HoldComments,
  PinComment,
  RejectComments,
  UnheartComment,
  UnpinComment,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { t, tc } from '../../lib/i18n.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { CommentSectionContext } from './comment-section-context.ts';

/** An item of a comment's menu. */
export interface CommentAction {
  readonly name: string;
  readonly icon: IconName;
  /** Confirmation, for actions that cannot be undone. */
  readonly question?: { readonly title: string; readonly text: string; readonly yes: string };
  readonly run: () => Promise<void>;
}

/** The actions that author and moderators may take on a comment, except editing. Each throws ApiError. */
export function commentActions(
  comment: CommentPartsFragment,
  section: CommentSectionContext,
): readonly CommentAction[] {
  const { id, author, status } = comment;
  const own = author !== null && author.username === section.username;
  const actions: CommentAction[] = [];
  if (section.moderates && status === 'PUBLISHED') actions.push(...highlightActions(comment, section));
  if (section.moderates && !own) actions.push(...reviewActions(comment, section));
  if (section.moderates && !own && author) {
    actions.push({
      name: t`Block ${author.username}`,
      icon: 'block',
      question: {
        title: t`Block ${author.username}?`,
        text: t`${author.username} will no longer be able to comment on videos of ${section.channelTitle}, and their
          existing comments there are removed. You can unblock them in Studio, under Comments.`,
        yes: tc('verb', 'Block'),
      },
      run: async () => {
        await api(BlockUser, { channel: section.channelId, username: author.username, hideComments: true });
        section.onStale();
      },
    });
  }
  if (own || section.moderates) {
    actions.push({
      name: t`Delete`,
      icon: 'trash',
      question: { title: t`Delete this comment?`, text: t`This cannot be undone. Replies are kept.`, yes: t`Delete` },
      run: async () => {
        await api(DeleteComment, { id });
        section.onStale();
      },
    });
  }
  return actions;
}

/** Review actions of moderators: approve, hold, remove. */
function reviewActions({ id, status }: CommentPartsFragment, section: CommentSectionContext): CommentAction[] {
  const ids = [id];
  const approve: CommentAction = {
    name: t`Approve`,
    icon: 'check',
    run: async () => requireSuccess((await api(ApproveComments, { ids })).approveComments, section),
  };
  const hold: CommentAction = {
    name: t`Hold for review`,
    icon: 'pause',
    run: async () => requireSuccess((await api(HoldComments, { ids })).holdComments, section),
  };
  const remove: CommentAction = {
    name: t`Remove`,
    icon: 'hidden',
    run: async () => requireSuccess((await api(RejectComments, { ids })).rejectComments, section),
  };
  if (status === 'PUBLISHED') return [hold, remove];
  return status === 'HELD' ? [approve, remove] : [approve];
}

/** Pin and heart. Only the first comment of a thread can be pinned. */
function highlightActions(
  { id, depth, isPinned, isHearted }: CommentPartsFragment,
  { onChange, onStale }: CommentSectionContext,
): CommentAction[] {
  const heart: CommentAction = {
    name: isHearted ? t`Remove heart` : tc('verb', 'Heart'),
    icon: 'heart',
    run: async () =>
      onChange(
        isHearted
          ? (await api(UnheartComment, { id })).unheartComment.comment
          : (await api(HeartComment, { id })).heartComment.comment,
      ),
  };
  const pin: CommentAction = {
    name: isPinned ? t`Unpin` : t`Pin`,
    icon: 'pin',
    run: async () => {
      await (isPinned ? api(UnpinComment, { id }) : api(PinComment, { id }));
      onStale();
    },
  };
  return depth === 0 ? [pin, heart] : [heart];
}

interface Reviewed {
  readonly results: readonly { readonly ok: boolean; readonly error: { readonly message: string } | null }[];
}

function requireSuccess({ results }: Reviewed, section: CommentSectionContext): void {
  const failed = results.find(({ ok }) => !ok);
  if (failed) throw new ApiError({ message: failed.error?.message ?? t`The action could not be completed.` });
  section.onStale();
}
