import { type Caller, isMember, tokenAllows } from '../members/membership.sql.ts';

/**
 * Who may watch a private content without being a member of its channel (ADR 0174). A content is shared in any state,
 * published or not, unless it is in the trash or taken down, or its owner closed the account: `c` is its row.
 */
const isShareable = (c: string): string =>
  `${c}.deleted_at is null and ${c}.taken_down_at is null and ` +
  `not exists (select 1 from channels h where h.id = ${c}.channel_id and h.is_hidden)`;

/** SQL: whether the row `g` of content_shares is for the account with this id, by name or by its confirmed address. */
function names(g: string, accountId: string): string {
  return (
    `(${g}.account_id = ${accountId} or ${g}.email = ` +
    `(select a.email from accounts a where a.id = ${accountId} and a.email_verified))`
  );
}

/** SQL: whether the content of the row `c` is shared with the viewer; a limited token sees none of other channels. */
export function isSharedContent(c: string, s: Caller): string {
  return (
    `(${isShareable(c)} and exists (select 1 from content_shares g where g.content_id = ${c}.id and ` +
    `${names('g', `${s.viewer}.account_id`)}${tokenAllows(s, 'content:read', 'g')}))`
  );
}

/** SQL: whether the viewer sees the content with this id because it is shared, and not as a member. */
export function isSharedOnly(contentId: string, s: Caller): string {
  return (
    `exists (select 1 from contents k where k.id = ${contentId} and ${isSharedContent('k', s)} ` +
    `and not ${isMember(s, 'k.channel_id')})`
  );
}

/**
 * SQL: whether what an address of a private content names still gives access to the content of the row `c`: the account
 * that it is shared with, or a link to it.
 */
export function isStillShared(c: string, accountOrLink: string): string {
  return (
    `(${isShareable(c)} and (exists (select 1 from content_shares g where g.content_id = ${c}.id and ` +
    `${names('g', accountOrLink)}) or exists (select 1 from share_links l where l.content_id = ${c}.id and ` +
    `l.id = ${accountOrLink})))`
  );
}

/** SQL: contents with each account that they are shared with, as `shared_with`, and when they were, `shared_at`. */
export const SHARED_CONTENTS =
  '(select c.*, w.account_id as shared_with, w.shared_at from (select g.content_id, a.id as account_id, ' +
  'max(g.created_at) as shared_at from accounts a join content_shares g on g.account_id = a.id or ' +
  '(g.email = a.email and a.email_verified) group by g.content_id, a.id) w join contents c on c.id = w.content_id)';
