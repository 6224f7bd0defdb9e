/** SQL: whether a comment is shown to moderators without a filter: rejected ones are dealt with. */
export function isInInbox(child: string): string {
  return `${child}.status in ('PUBLISHED', 'HELD')`;
}

/** SQL: whether a published comment is by nobody of its channel, and no member has replied to it. */
export function awaitsReply(child: string): string {
  const isByMember = (row: string) =>
    `exists (select 1 from channel_members m ` +
    `where m.channel_id = ${row}.channel_id and m.account_id = ${row}.account_id)`;
  return (
    `${child}.status = 'PUBLISHED' and not ${isByMember(child)} and not exists (select 1 from comments r ` +
    `where r.parent_id = ${child}.id and r.status = 'PUBLISHED' and r.deleted_at is null and ${isByMember('r')})`
  );
}
