import { useQuery } from '@tanstack/react-query';
import { WatchingNow as Watching, type WatchingNowResult } from '../../gql/generated/operations.gen.ts';
import { watchingCountText } from '../../lib/format.ts';
import { operationQuery } from '../../lib/query.ts';

const POLL_MS = 10_000;

/** How many people watch a stream while it is live; nothing afterwards. */
export function WatchingNow({ id }: { readonly id: string }) {
  const { data } = useQuery({
    ...operationQuery(Watching, { id }),
    refetchInterval: ({ state }) => (state.data === undefined || viewersIn(state.data) !== null ? POLL_MS : false),
  });
  const viewers = viewersIn(data);
  if (viewers === null) return null;
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full bg-danger" />
      {watchingCountText(viewers)}
    </span>
  );
}

function viewersIn(data: WatchingNowResult | undefined): number | null {
  const content = data?.content;
  return content && 'broadcast' in content ? (content.broadcast?.viewers ?? null) : null;
}
