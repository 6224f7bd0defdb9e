import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ContentCardFragment, UpNext as UpNextOf } from '../../gql/generated/operations.gen.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ContentRow } from '../browse/content-card.tsx';
import { isPlayedKind } from '../queue/queue.ts';
import { AutoplayField, type AutoplaySetting } from './autoplay.tsx';

/** Related videos, without shorts, which are in their feed. Optional: empty while loading and after errors. */
export function useRelated(contentId: string): readonly ContentCardFragment[] {
  const { data } = useQuery(operationQuery(UpNextOf, { id: contentId }));
  const related = data?.content?.related.edges.map(({ node }) => node) ?? [];
  return related.filter((content) => isPlayedKind(content) && content.kind !== 'SHORT');
}

interface Properties {
  readonly related: readonly ContentCardFragment[];
  /** Left out where a queue has it. */
  readonly autoplay?: AutoplaySetting | undefined;
}

/** Related videos; narrow pages show a few first. */
export function UpNext({ related, autoplay }: Properties) {
  const [all, setAll] = useState(false);
  if (related.length === 0) return null;
  return (
    <section aria-labelledby="up-next" className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="up-next" className="text-lg font-semibold">{t`Up next`}</h2>
        {autoplay && <AutoplayField {...autoplay} />}
      </div>
      <ul className={`space-y-4 ${all ? '' : 'max-lg:[&>:nth-child(n+5)]:hidden'}`}>
        {related.map((content) => (
          <li key={content.id}>
            <ContentRow content={content} />
          </li>
        ))}
      </ul>
      {!all && related.length > 4 && (
        <p className="lg:hidden">
          <button
            type="button"
            className={buttonClass('plain', 'w-full')}
            onClick={() => setAll(true)}
          >{t`Show more videos`}</button>
        </p>
      )}
    </section>
  );
}
