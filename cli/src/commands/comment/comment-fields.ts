import { count, moment } from '../../format.ts';
import type { ListRow, Terminal } from '../../terminal.ts';

/** What the lists select of a comment. */
export interface ListedComment {
  readonly id: string;
  readonly body: string;
  readonly status: string;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly contentId: string;
  readonly isPinned: boolean;
  readonly isHearted: boolean;
  readonly depth: number;
  readonly heldFor: string | null;
  readonly author: { readonly username: string } | null;
  readonly likes: { readonly count: number; readonly isLiked: boolean };
  readonly replies: { readonly totalCount: number };
}

export const COMMENT = `id body status createdAt editedAt contentId isPinned isHearted depth heldFor
  author { username } likes { count isLiked } replies(first: 1) { totalCount }`;

/** A comment as a row: when, who, its state, and its text. Replies to replies are indented. */
export function commentRow(out: Terminal, comment: ListedComment): ListRow {
  const { id, createdAt, author, depth, body, replies, likes } = comment;
  const numbers = [
    likes.count > 0 ? count(likes.count, 'like') : '',
    replies.totalCount > 0 ? (replies.totalCount === 1 ? '1 reply' : `${replies.totalCount} replies`) : '',
  ].filter(Boolean);
  return [
    id,
    moment(createdAt),
    author ? `@${author.username}` : '–',
    out.style('yellow', stateOf(comment)),
    numbers.join(', '),
    `${'  '.repeat(Math.max(0, depth - 1))}${body || '(deleted)'}`,
  ];
}

/** What distinguishes it from others, such as `pinned`. */
export function stateOf({ status, heldFor, isPinned, isHearted }: ListedComment): string {
  const reason = heldFor === null ? '' : `: ${heldFor.toLowerCase().replaceAll('_', ' ')}`;
  const state = status === 'PUBLISHED' ? '' : `${status.toLowerCase()}${reason}`;
  return [state, isPinned ? 'pinned' : '', isHearted ? '♥' : ''].filter(Boolean).join(' ');
}
