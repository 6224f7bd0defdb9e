import type { Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';

/** Declares `rateLimit`: what is left of the cost bucket, also told by extensions.cost of every answer. */
export function declareRateLimit(graph: Graph): void {
  const RateLimit = graph.object('RateLimit', {
    description: 'The cost bucket of the account on the instance that answers.',
    fields: (f) => ({
      limit: f.value({ type: 'Int', description: 'Points the bucket holds.' }),
      remaining: f.value({ type: 'Int', description: 'Points left, this request counted.' }),
      restoreRate: f.value({ type: 'Int', description: 'Points that come back per second.' }),
      resetAt: f.value({ type: 'DateTime', description: 'When the bucket is full again if nothing more is asked.' }),
    }),
  });
  graph.queryResolve('rateLimit', {
    type: RateLimit,
    access: 'account:read',
    description: 'How many cost points the account has left.',
    resolve: ({ viewer, services }) => {
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      const { resetAtMs, remaining, ...quota } = services.accounts.quotaOf(viewer.accountId);
      return { ...quota, remaining: Math.floor(remaining), resetAt: new Date(resetAtMs).toISOString() };
    },
  });
}
