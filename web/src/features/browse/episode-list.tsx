import type { QueryKey } from '@tanstack/react-query';
import type { EpisodeCardFragment, EpisodePageFragment } from '../../gql/generated/operations.gen.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { More } from '../../ui/more.tsx';
import { Facts, Thumbnail } from './content-card.tsx';
import { ContentLink } from './content-link.tsx';

interface Properties {
  readonly queryKey: QueryKey;
  readonly first: EpisodePageFragment;
  readonly loadMore: (after: string) => Promise<EpisodePageFragment | null | undefined>;
}

/** The episodes of a season or miniseries, in order. */
export function EpisodeList(list: Properties) {
  const pages = usePages<EpisodeCardFragment>(list);
  return (
    <>
      <div ref={pages.list}>
        <ol className="space-y-6">
          {pages.nodes.map((episode) => (
            <Episode key={episode.id} episode={episode} />
          ))}
        </ol>
      </div>
      <More pages={pages}>{t`Show more episodes`}</More>
    </>
  );
}

function Episode({ episode }: { episode: EpisodeCardFragment }) {
  const { number, summary, isPremiere, isFinale } = episode.metadata;
  const content = { ...episode, kind: 'EPISODE' as const };
  return (
    <li className="group relative grid gap-x-5 gap-y-3 sm:grid-cols-[15rem_minmax(0,1fr)]">
      <Thumbnail content={content} sizes="(min-width: 40rem) 15rem, 92vw" />
      <div className="min-w-0 space-y-1">
        <h3 className="font-semibold [overflow-wrap:anywhere]">
          <ContentLink
            content={content}
            className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
          >
            {number}. <bdi>{episode.card.title}</bdi>
          </ContentLink>
        </h3>
        <p className="text-sm text-muted">
          {isPremiere && `${t`Premiere`} · `}
          {isFinale && `${t`Finale`} · `}
          <Facts content={content} numbered={false} />
        </p>
        {summary && (
          <p dir="auto" className="line-clamp-3 max-w-prose text-muted [overflow-wrap:anywhere]">
            {summary}
          </p>
        )}
      </div>
    </li>
  );
}
