/** SQL: the sum of a counter over the contents of a channel that are not in the trash. */
export function sumOfContents(scope: string, channelId: string): string {
  return `(select coalesce(sum(k.value), 0)::bigint from contents c join counters k on k.scope = '${scope}'
    and k.key = c.id
    where c.channel_id = ${channelId} and c.deleted_at is null)`;
}
