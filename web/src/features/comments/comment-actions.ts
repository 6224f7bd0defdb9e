import {
  ApproveComment,
  BlockCommenter,
  type CommentPartsFragment,
  HeartComment,
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
  readonly run: () => Promise<void>;
}

/** What the author and the moderators may do with a comment, apart from changing its text. Each throws ApiError. */
export function commentActions(comment: CommentPartsFragment, place: CommentPlace): readonly CommentAction[] {
  const { id, author, status } = comment;
  const own = author !== null && author.username === place.username;
  const actions: CommentAction[] = [];
  if (place.moderates && status === 'PUBLISHED') actions.push(...honours(comment, place));
  if (place.moderates && !own && status === 'HELD') {
    actions.push({
      name: 'Approve',
      icon: 'check',
      run: async () => each((await api(ApproveComment, { ids: [id] })).approveComments, place),
    });
  }
  if (place.moderates && !own && status !== 'REJECTED') {
    actions.push({
      name: 'Remove',
      icon: 'eye',
      run: async () => each((await api(TakeBackComments, { ids: [id] })).rejectComments, place),
    });
  }
  if (place.moderates && !own && author) {
    actions.push({
      name: `Block ${author.username}`,
      icon: 'close',
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
      run: async () => {
        await api(RemoveComment, { id });
        place.onStale();
      },
    });
  }
  return actions;
}

/** Pins stand at the top of their list, so there is one for the first of a thread only. */
function honours({ id, depth, isPinned, isHearted }: CommentPartsFragment, { onChange, onStale }: CommentPlace): CommentAction[] {
  const heart: CommentAction = {
    name: isHearted ? 'Take the heart back' : 'Give a heart',
    icon: 'heart',
    run: async () =>
      onChange(isHearted ? (await api(UnheartComment, { id })).unheartComment : (await api(HeartComment, { id })).heartComment),
  };
  const pin: CommentAction = {
    name: isPinned ? 'Unpin' : 'Pin to the top',
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
  if (failed) throw new ApiError({ message: failed.error?.message ?? 'It could not be done.' });
  place.onStale();
}
