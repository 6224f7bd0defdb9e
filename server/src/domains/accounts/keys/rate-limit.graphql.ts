import type { Graph } from '../../../gql/index.ts';

/** Declares `rateLimit`: the state of the cost bucket, also reported by extensions.cost in every response. */
export function declareRateLimit(graph: Graph): void {
  const RateLimit = graph.object('RateLimit', {
    description: 'The cost bucket of the account on the instance that responds.',
    fields: (f) => ({
      limit: f.value({ type: 'Int', description: 'Capacity of the bucket in points.' }),
      remaining: f.value({ type: 'Int', description: 'Points left after this request.' }),
      restoreRate: f.value({ type: 'Int', description: 'Points that are restored per second.' }),
      resetAt: f.value({ type: 'DateTime', description: 'When the bucket is full again without further requests.' }),
    }),
  });
  graph.queryResolve('rateLimit', {
    type: RateLimit,
    access: 'authenticated',
    description: 'The cost points that the account has left.',
    resolve: ({ scope, services }) => {
      const { resetAtMs, remaining, ...quota } = services.accounts.quotaOf(scope);
      return { ...quota, remaining: Math.floor(remaining), resetAt: new Date(resetAtMs).toISOString() };
    },
  });
}
