import { createContext, useContext } from 'react';
import type { CommentPartsFragment } from '../../gql/generated/operations.gen.ts';

/** What every comment of a content needs to know, and whom it tells of changes. */
export interface CommentSectionContext {
  readonly contentId: string;
  readonly channelId: string;
  readonly channelTitle: string;
  /** Whether the viewer works on the channel and may pin, heart and take back. */
  readonly moderates: boolean;
  /** Whether the viewer may answer: not where comments are switched off. */
  readonly open: boolean;
  readonly username: string | null;
  readonly onChange: (comment: CommentPartsFragment) => void;
  /** Something changed that only the server knows all of: the list is asked for again. */
  readonly onStale: () => void;
}

const SectionContext = createContext<CommentSectionContext | null>(null);

export const CommentSectionProvider = SectionContext.Provider;

/** Throws outside of a comment section. */
export function useCommentSection(): CommentSectionContext {
  const place = useContext(SectionContext);
  if (!place) throw new Error('A comment stands outside of a comment section.');
  return place;
}
