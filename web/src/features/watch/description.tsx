import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { calendarDate, viewCountText } from '../../lib/format.ts';
import { useCut } from '../../lib/hooks/use-cut.ts';
import { t } from '../../lib/i18n.ts';
import { LinkedText } from '../../ui/linked-text.tsx';
import { broadcastOf, isLive, isUpcoming } from '../browse/broadcast-sign.ts';
import type { Watched } from './now-playing.ts';
import { WatchingNow } from './watching-now.tsx';

/** Views, date and the description: its first lines until the viewer wants more. */
export function Description({ content }: { content: Watched }) {
  const { summary, keywords, categories } = content.metadata;
  const broadcast = broadcastOf(content);
  const tags = categories.edges.length + keywords.length;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { text, isCut } = useCut<HTMLParagraphElement>(isOpen);
  const hasMore = isCut || tags > 0;
  if (!content.publishedAt && !summary && !hasMore) return null;
  return (
    <div className="space-y-3 rounded-2xl bg-surface p-4">
      {content.publishedAt && !(broadcast && isUpcoming(broadcast)) && (
        <p className="flex flex-wrap gap-x-3 font-semibold">
          <span className="first-letter:uppercase">{viewCountText(content.viewCount)}</span>
          {broadcast && isLive(broadcast) && <WatchingNow key={content.id} id={content.id} />}
          <time dateTime={content.publishedAt}>{calendarDate(content.publishedAt)}</time>
        </p>
      )}
      <div id={id} className="space-y-4">
        {summary && (
          // Starts at the edge of the box at which its own writing starts.
          <div dir="auto">
            <p
              ref={text}
              className={
                'max-w-prose leading-relaxed whitespace-pre-line [overflow-wrap:anywhere] ' +
                (isOpen ? '' : 'line-clamp-3')
              }
            >
              <LinkedText text={summary} times="SEEK" />
            </p>
          </div>
        )}
        {isOpen && tags > 0 && <Tags content={content} />}
      </div>
      {hasMore && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          className="rounded-md font-semibold text-accent-text hover:underline"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t`Show less` : t`Show more`}
        </button>
      )}
    </div>
  );
}

function Tags({ content }: { content: Watched }) {
  const { keywords, categories } = content.metadata;
  return (
    <ul aria-label={t`Categories and keywords`} className="flex flex-wrap gap-2">
      {categories.edges.map(({ node }) => (
        <li key={node.id}>
          <Link
            to="/category/$slug"
            params={{ slug: node.slug }}
            className="inline-block rounded-full bg-raised px-3 py-1 text-sm font-medium hover:text-accent-text"
          >
            {node.name}
          </Link>
        </li>
      ))}
      {keywords.map((keyword) => (
        <li key={keyword} className="rounded-full px-2 py-1 text-sm text-muted">
          {keyword}
        </li>
      ))}
    </ul>
  );
}
