/** SQL: bytes that a channel stores, by counters. */
export function storedBy(channel: string, scopes: readonly string[]): string {
  const names = scopes.map((scope) => `'${scope}'`).join(', ');
  return (
    `(select coalesce(sum(n.value), 0)::bigint from counters n where n.key = ${channel}.id ` +
    `and n.scope in (${names}))`
  );
}

/** SQL: the username of the owner of a channel. */
export function ownerOf(channel: string): string {
  return `(select o.username::text from accounts o where o.id = ${channel}.account_id)`;
}

/** SQL: all bytes that a channel stores. */
export function allStoredBy(channel: string): string {
  return storedBy(channel, ['channel:storage', 'channel:derived-bytes']);
}
