import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { type Arguments, api, type Operation } from './api.ts';

/** Cache of query results. Signing in or out clears it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // A failed request is shown at once, with a button to retry; being offline is such a failure, not a reason to wait.
    queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false },
    mutations: { networkMode: 'always' },
  },
});

/** Options for `useQuery` and the query client: the result of an operation for its variables. */
export function operationQuery<Result, Variables>(
  operation: Operation<Result, Variables>,
  ...variables: Arguments<Variables>
) {
  return queryOptions({ queryKey: [operation.name, ...variables], queryFn: () => api(operation, ...variables) });
}

/** While the result for a new key is loading, the previous one stays visible, with `isPlaceholderData`. */
export const KEEP_PREVIOUS = { placeholderData: keepPreviousData } as const;
