/** SQL: whether a category is assigned to a channel. */
export function isCategoryOfChannel(categoryId: string, channelId: string): string {
  return (
    `exists (select 1 from channel_categories l where l.channel_id = ${channelId} ` +
    `and l.category_id = ${categoryId})`
  );
}
