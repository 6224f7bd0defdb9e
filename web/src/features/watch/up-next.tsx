import { useEffect, useState } from 'react';
import { type ContentCardFragment, UpNext as UpNextOf } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ContentRow } from '../browse/content-card.tsx';

/** What to watch after this one; the page is whole without it, so a failure leaves it out. */
export function UpNext({ content }: { content: { readonly id: string; readonly channel: { readonly id: string } } }) {
  const [found, setFound] = useState<readonly ContentCardFragment[]>([]);
  useEffect(() => {
    let current = true;
    api(UpNextOf, { id: content.channel.id })
      .then((answer) => current && setFound(answer.contents.edges.map(({ node }) => node)))
      .catch(() => current && setFound([]));
    return () => {
      current = false;
    };
  }, [content.channel.id]);
  const others = found.filter(({ id }) => id !== content.id).slice(0, 8);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="up-next" className="space-y-5">
      <h2 id="up-next" className="text-lg font-semibold">
        Up next
      </h2>
      <ul className="space-y-4">
        {others.map((other) => (
          <li key={other.id}>
            <ContentRow content={other} />
          </li>
        ))}
      </ul>
    </section>
  );
}
