/** A limit of a service as its clients see it (draft-ietf-httpapi-ratelimit-headers-10). */
export interface ServiceLimit {
  /** Name of the policy, in lower case with dashes. */
  readonly name: string;
  /** What a client has at most. */
  readonly quota: number;
  /** How long the whole quota takes to be restored, in seconds; absent if time alone restores nothing. */
  readonly windowSeconds?: number;
  /** The draft's name of what is counted; absent for points and attempts, for which it has none. */
  readonly unit?: 'requests' | 'concurrent-requests';
  /** What is left; negative values are sent as 0. */
  readonly remaining: number;
  /** Until more is available than `remaining`, in seconds: the whole quota for points; absent if unknown. */
  readonly resetSeconds?: number;
}

/** The headers `RateLimit-Policy` and `RateLimit`: structured fields (RFC 9651), one item for each limit. */
export interface LimitHeaders {
  readonly 'ratelimit-policy': string;
  readonly ratelimit: string;
}

export function limitHeaders(limits: readonly ServiceLimit[]): LimitHeaders {
  return { 'ratelimit-policy': limits.map(policyItem).join(', '), ratelimit: limits.map(stateItem).join(', ') };
}

/** `"cost";q=2000;w=20`. */
export function policyItem({ name, quota, windowSeconds, unit }: Omit<ServiceLimit, 'remaining'>): string {
  const parts = [`"${name}"`, `q=${quota}`];
  if (windowSeconds !== undefined) parts.push(`w=${windowSeconds}`);
  if (unit !== undefined) parts.push(`qu="${unit}"`);
  return parts.join(';');
}

/** `"cost";r=1990;t=1`. */
export function stateItem({ name, remaining, resetSeconds }: ServiceLimit): string {
  const state = `"${name}";r=${Math.max(0, Math.floor(remaining))}`;
  return resetSeconds === undefined ? state : `${state};t=${Math.max(0, Math.ceil(resetSeconds))}`;
}

/** The points of an account (`extensions.cost`) as a limit. */
export function costLimit(
  cost: { readonly available: number; readonly restoreRate: number },
  capacity: number,
): ServiceLimit {
  return {
    name: 'cost',
    quota: capacity,
    windowSeconds: Math.ceil(capacity / cost.restoreRate),
    remaining: cost.available,
    resetSeconds: (capacity - cost.available) / cost.restoreRate,
  };
}
