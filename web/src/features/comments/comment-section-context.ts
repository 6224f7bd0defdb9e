import { createContext, useContext } from 'react';
import type { CommentPartsFragment } from '../../gql/generated/operations.gen.ts';

/** Context shared by all comments of a content. */
export interface CommentSectionContext {
  readonly contentId: string;
  readonly channelId: string;
  readonly channelTitle: string;
  /** Whether the viewer may moderate: pin, heart, review and delete comments. */
  readonly moderates: boolean;
  /** Whether the video is on this page, so that timestamps seek it; otherwise they lead to its page. */
  readonly hasVideo: boolean;
  /** Whether the viewer may comment. */
  readonly open: boolean;
  readonly username: string | null;
  readonly onChange: (comment: CommentPartsFragment) => void;
  /** Reloads the list after a change whose effects only the server knows. */
  readonly onStale: () => void;
}

const SectionContext = createContext<CommentSectionContext | null>(null);

export const CommentSectionProvider = SectionContext.Provider;

/** Throws outside of a comment section. */
export function useCommentSection(): CommentSectionContext {
  const section = useContext(SectionContext);
  if (!section) throw new Error('Comments must be inside a comment section.');
  return section;
}
