import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { ContentCardFragment } from '../../gql/generated/operations.gen.ts';
import { ContentCard } from './content-card.tsx';

interface Properties {
  readonly title: string;
  readonly contents: readonly ContentCardFragment[];
  readonly more?: {
    readonly to: '/history' | '/feed' | '/trending' | '/shorts' | '/browse/series';
    readonly label: string;
  };
  /** Portrait cards, for shorts. */
  readonly tall?: boolean;
}

/** A horizontally scrolling row of contents; renders nothing when empty. */
export function Shelf({ title, contents, more, tall = false }: Properties) {
  const id = useId();
  if (contents.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <div className="mb-5 flex items-baseline justify-between gap-4">
        <h2 id={id} className="text-xl font-semibold">
          {title}
        </h2>
        {more && (
          <Link to={more.to} className="text-sm font-medium text-accent-text underline-offset-3 hover:underline">
            {more.label}
          </Link>
        )}
      </div>
      <ul className="-mx-4 flex snap-x scroll-px-4 gap-5 overflow-x-auto px-4 pb-2 sm:-mx-6 sm:scroll-px-6 sm:px-6">
        {contents.map((content) => (
          <li key={content.id} className={`shrink-0 snap-start ${tall ? 'w-40' : 'w-64 sm:w-72'}`}>
            <ContentCard content={content} heading="h3" tall={tall} />
          </li>
        ))}
      </ul>
    </section>
  );
}
