/** SQL: the summary of the account's own channel, by the id of the channel. */
export function summaryOf(channelId: string): string {
  return `(select b.summary from channels b where b.id = ${channelId})`;
}
