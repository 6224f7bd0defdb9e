import {
  ApproveComment,
  BlockCommenter,
  type CommentPartsFragment,
  HeartComment,
  HoldComment,
  PinComment,
  RemoveComment,
  TakeBackComments,
  UnheartComment,
  UnpinComment,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import type { IconName } from '../../ui/icons.tsx';
import type { CommentPlace } from './comment-context.ts';

/** One line of a comment's menu. */
export interface CommentAction {
  readonly name: string;
  readonly icon: IconName;
  /** What is asked first where it cannot be taken back. */
  readonly question?: { readonly title: string; readonly text: string; readonly yes: string };
  readonly run: () => Promise<void>;
}

/** What the author and the moderators may do with a comment, apart from changing its text. Each throws ApiError. */
export function commentActions(comment: CommentPartsFragment, place: CommentPlace): readonly CommentAction[] {
  const { id, author, status } = comment;
  const own = author !== null && author.username === place.username;
  const actions: CommentAction[] = [];
  if (place.moderates && status === 'PUBLISHED') actions.push(...honours(comment, place));
  if (place.moderates && !own) actions.push(...reviews(comment, place));
  if (place.moderates && !own && author) {
    actions.push({
      name: `Block ${author.username}`,
      icon: 'block',
      question: {
        title: `Block ${author.username}?`,
        text: `${author.username} will no longer be able to comment on videos of ${place.channelTitle}, and their existing comments there are removed. You can unblock them in Studio, under Comments.`,
        yes: 'Block',
      },
      run: async () => {
        await api(BlockCommenter, { channel: place.channelId, username: author.username });
        place.onStale();
      },
    });
  }
  if (own || place.moderates) {
    actions.push({
      name: 'Delete',
      icon: 'trash',
      question: { title: 'Delete this comment?', text: 'This cannot be undone. Replies are kept.', yes: 'Delete' },
      run: async () => {
        await api(RemoveComment, { id });
        place.onStale();
      },
    });
  }
  return actions;
}

/** Whether others see it: moderators decide, as often as they like. */
function reviews({ id, status }: CommentPartsFragment, place: CommentPlace): CommentAction[] {
  const ids = [id];
  const approve: CommentAction = {
    name: 'Approve',
    icon: 'check',
    run: async () => each((await api(ApproveComment, { ids })).approveComments, place),
  };
  const hold: CommentAction = {
    name: 'Hold for review',
    icon: 'pause',
    run: async () => each((await api(HoldComment, { ids })).holdComments, place),
  };
  const remove: CommentAction = {
    name: 'Remove',
    icon: 'hidden',
    run: async () => each((await api(TakeBackComments, { ids })).rejectComments, place),
  };
  if (status === 'PUBLISHED') return [hold, remove];
  return status === 'HELD' ? [approve, remove] : [approve];
}

/** Pins stand at the top of their list, so there is one for the first of a thread only. */
function honours({ id, depth, isPinned, isHearted }: CommentPartsFragment, { onChange, onStale }: CommentPlace): CommentAction[] {
  const heart: CommentAction = {
    name: isHearted ? 'Remove heart' : 'Heart',
    icon: 'heart',
    run: async () =>
      onChange(isHearted ? (await api(UnheartComment, { id })).unheartComment : (await api(HeartComment, { id })).heartComment),
  };
  const pin: CommentAction = {
    name: isPinned ? 'Unpin' : 'Pin',
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

function each({ results }: Reviewed, place: CommentPlace): void {
  const failed = results.find(({ ok }) => !ok);
  if (failed) throw new ApiError({ message: failed.error?.message ?? 'The action could not be completed.' });
  place.onStale();
}
