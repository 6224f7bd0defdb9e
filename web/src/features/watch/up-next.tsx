import { useQuery } from '@tanstack/react-query';
import { type ContentCardFragment, UpNext as UpNextOf } from '../../gql/generated/operations.gen.ts';
import { operationQuery } from '../../lib/query.ts';
import { ContentRow } from '../browse/content-card.tsx';

/** Series, seasons and miniseries are opened, not played. */
const CONTAINERS: readonly ContentCardFragment['kind'][] = ['SERIE', 'SEASON', 'MINISERIE'];

const isPlayed = ({ kind }: ContentCardFragment): boolean => !CONTAINERS.includes(kind);

/** Related videos. Optional: errors are ignored. */
export function UpNext({ contentId }: { contentId: string }) {
  const { data } = useQuery(operationQuery(UpNextOf, { id: contentId }));
  const found = data?.content?.related.edges.map(({ node }) => node).filter(isPlayed) ?? [];
  if (found.length === 0) return null;
  return (
    <section aria-labelledby="up-next" className="space-y-5">
      <h2 id="up-next" className="text-lg font-semibold">
        Up next
      </h2>
      <ul className="space-y-4">
        {found.map((content) => (
          <li key={content.id}>
            <ContentRow content={content} />
          </li>
        ))}
      </ul>
    </section>
  );
}
