import { Link } from '@tanstack/react-router';
import type { CommentPartsFragment } from '../../gql/generated/operations.gen.ts';
import { channelPath, contentTail } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { useCommentSection } from './comment-section-context.ts';
import { parseCommentText } from './comment-text.ts';

const LINK = 'text-accent-text underline underline-offset-3';

/** The text of a comment, with links, mentions and timestamps that seek the video. */
export function CommentBody({ comment }: { comment: Pick<CommentPartsFragment, 'body' | 'mentions'> }) {
  const section = useCommentSection();
  let at = 0;
  return (
    <p dir="auto" className="max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
      {parseCommentText(
        comment.body,
        comment.mentions.map(({ username }) => username),
      ).map((token) => {
        const key = at;
        at += token.text.length;
        if (token.kind === 'link') {
          return (
            <a key={key} href={token.href} rel="nofollow ugc noopener" target="_blank" className={LINK}>
              {token.text}
            </a>
          );
        }
        if (token.kind === 'time' && !section.hasVideo) {
          return (
            <Link
              key={key}
              to="/watch/$"
              params={{ _splat: contentTail(section.contentId) }}
              search={{ t: token.seconds }}
              className={LINK}
            >
              {token.text}
            </Link>
          );
        }
        if (token.kind === 'time') {
          return (
            <button
              key={key}
              type="button"
              className={LINK}
              aria-label={t`${token.text}, go to this time`}
              onClick={() => goTo(token.seconds)}
            >
              {token.text}
            </button>
          );
        }
        if (token.kind === 'mention') {
          return (
            <Link
              key={key}
              to="/channel/$id"
              params={{ id: channelOf(comment.mentions, token.text) }}
              className="font-semibold text-accent-text hover:underline"
            >
              {token.text}
            </Link>
          );
        }
        return token.text;
      })}
    </p>
  );
}

/** The channel of the account that `@name` mentions, by its id: its handle may be another one than the name. */
function channelOf(mentions: CommentPartsFragment['mentions'], text: string): string {
  const name = text.slice(1).toLowerCase();
  return channelPath(mentions.find(({ username }) => username.toLowerCase() === name)?.id ?? '');
}

/** Seeks the video of the page. */
function goTo(seconds: number): void {
  const video = document.querySelector('video');
  if (!video) return;
  video.currentTime = seconds;
  video.closest('section')?.scrollIntoView({ block: 'start', behavior: 'smooth' });
}
