import { useState } from 'react';
import type { CommentPartsFragment } from '../../gql/generated/operations.gen.ts';
import { channelPath, contentTail } from '../../lib/did.ts';
import { useCut } from '../../lib/hooks/use-cut.ts';
import { t } from '../../lib/i18n.ts';
import { LinkedText } from '../../ui/linked-text.tsx';
import { useCommentSection } from './comment-section-context.ts';

/** The text of a comment, with links, mentions and timestamps: its first lines until the viewer wants more. */
export function CommentBody({ comment }: { comment: Pick<CommentPartsFragment, 'body' | 'mentions'> }) {
  const section = useCommentSection();
  const [isOpen, setOpen] = useState(false);
  const { text, isCut } = useCut<HTMLParagraphElement>(isOpen);
  // By the id: the handle of an account's channel may be another one than its name.
  const mentions = new Map(comment.mentions.map(({ id, username }) => [username.toLowerCase(), channelPath(id)]));
  return (
    <>
      <p
        ref={text}
        dir="auto"
        className={
          'max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere] ' + (isOpen ? '' : 'line-clamp-5')
        }
      >
        <LinkedText
          text={comment.body}
          mentions={mentions}
          times={section.hasVideo ? 'SEEK' : { watch: contentTail(section.contentId) }}
        />
      </p>
      {isCut && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="rounded-md text-sm font-semibold text-muted hover:text-fore hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t`Show less` : t`Read more`}
        </button>
      )}
    </>
  );
}
