import { CONTENT_STATUSES } from '../publication/lifecycle.ts';

const STATUSES = `array['${CONTENT_STATUSES.join("','")}']`;

/** SQL: the number of contents of these kinds in a channel, in any state: the sum of the counters by kind and state. */
export function keptOfKinds(channelId: string, kinds: string): string {
  return (
    `(select coalesce(sum(n.value), 0)::bigint from (select distinct unnest(${kinds})) k(kind), unnest(${STATUSES}) ` +
    `t(status), counters n where n.scope = 'channel:' || k.kind || ':' || t.status and n.key = ${channelId})`
  );
}

/** SQL: an object with the value of each of these counters of a key that is not 0. */
export function countersByScope(scopes: readonly string[], key: string): string {
  return `(select coalesce(json_object_agg(k.scope, k.n), '{}') from (
    select scope, sum(value)::bigint as n from counters
    where scope in (${scopes.map((scope) => `'${scope}'`).join(', ')}) and key = ${key}
    group by scope) k)`;
}
