/** SQL: how many live inputs the channels of the account given as SQL have. */
export function liveInputsOf(accountId: string): string {
  const inputs = 'channels o join live_inputs i on i.channel_id = o.id';
  return `(select count(*) from ${inputs} where o.account_id = ${accountId})`;
}
