import type { QueryKey } from '@tanstack/react-query';
import type { ContentCardFragment, ContentPageFragment } from '../../gql/generated/operations.gen.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { More } from '../../ui/more.tsx';
import { ContentCard } from './content-card.tsx';

/** As many columns as fit; up to three videos share the row of a wide page. */
const MANY = 'grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))]';
const FEW = 'sm:grid-cols-2 lg:grid-cols-3';
const TALL = 'grid-cols-[repeat(auto-fill,minmax(min(46%,11rem),1fr))]';

interface Properties {
  /** Names the list: operation and variables. */
  readonly queryKey: QueryKey;
  /** The page that came with the route. */
  readonly first: ContentPageFragment;
  readonly loadMore: (after: string) => Promise<ContentPageFragment | null | undefined>;
  readonly named?: boolean;
  readonly tall?: boolean;
  /** Of each card: `h3` below a heading of the list. */
  readonly heading?: 'h2' | 'h3';
}

/** A paginated grid of content cards. */
export function ContentGrid({ named = true, tall = false, heading = 'h2', ...list }: Properties) {
  const pages = usePages<ContentCardFragment>(list);
  return (
    <>
      <div ref={pages.list} className={`grid gap-x-5 gap-y-8 ${tall ? TALL : pages.nodes.length <= 3 ? FEW : MANY}`}>
        {pages.nodes.map((content, index) => (
          <ContentCard
            key={content.id}
            content={content}
            eager={index < 4}
            named={named}
            tall={tall}
            heading={heading}
          />
        ))}
      </div>
      <More pages={pages}>{t`Show more videos`}</More>
    </>
  );
}
