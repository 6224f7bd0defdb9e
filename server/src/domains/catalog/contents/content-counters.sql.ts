/** SQL: an object with the value of each of these counters of a key that is not 0. */
export function countersByScope(scopes: readonly string[], key: string): string {
  return `(select coalesce(json_object_agg(k.scope, k.n), '{}') from (
    select scope, sum(value)::bigint as n from counters
    where scope in (${scopes.map((scope) => `'${scope}'`).join(', ')}) and key = ${key}
    group by scope) k)`;
}
