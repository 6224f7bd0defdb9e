/** SQL: the summary of the account's own channel, by the id of the channel. */
export function summaryOf(channelId: string): string {
  return `(select b.summary from channels b where b.id = ${channelId})`;
}

/** SQL: the number of changes of a profile, of the account and of its own channel, which has the bio. */
export function revisionOfProfile(account: string, channel: string): string {
  return `${account}.profile_revision + ${channel}.revision`;
}

/** SQL: the same of a row of accounts. */
export function profileRevision(account: string): string {
  return `(select ${revisionOfProfile(account, 'c')} from channels c where c.id = ${account}.primary_channel_id)`;
}
