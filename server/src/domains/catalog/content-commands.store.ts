import type { EventType } from '../../kernel/event-types.ts';
import { statesFor } from './lifecycle.ts';

/**
 * The commands on contents as bodies of one statement each: common table expressions and the final select, written behind a
 * `viewer(account_id, channel_id)` expression. Values are given as placeholders ('$3'). Every body answers one row: whose the
 * content is, whether it is open to all, and its state before (all null when there is none). From the same facts
 * the policy says why nothing was changed.
 */
type Placeholders<Name extends string> = Readonly<Record<Name, string>>;

/** The content an action is about, locked, with what the policy wants to know. */
const target = (id: string): string => `
target as (
  select c.id, c.channel_id, c.status, c.published_at, ch.account_id = v.account_id as owned,
         c.status = 'PUBLISHED' and c.visibility <> 'PRIVATE' as open
  from viewer v
  join contents c on c.id = ${id} and c.deleted_at is null
  join channels ch on ch.id = c.channel_id
  for update of c
)`;

/** Writes the event of a change into the log: `type`, or `otherwise` where the condition over `changed` does not hold. */
const event = (type: EventType, when?: string, otherwise: EventType = type): string => `
event as (
  insert into events (type, channel_id, subject_id)
  select ${when === undefined ? `'${type}'` : `case when ${when} then '${type}' else '${otherwise}' end`}, channel_id, id from changed
)`;

const outcome = `
select t.owned, t.open, t.status
from viewer left join target t on true`;

/** Makes a draft in the given channel, or in the viewer's own where `channel` is null. */
export function createContentBody(
  p: Placeholders<'id' | 'channel' | 'kind' | 'title' | 'summary' | 'shortSummary' | 'keywords' | 'visibility' | 'layout' | 'now'>,
): string {
  return `
target as (
  select ch.id, ch.account_id = v.account_id as owned, true as open, 'DRAFT' as status
  from viewer v join channels ch on ch.id = coalesce(${p.channel}::uuid, v.channel_id)
),
changed as (
  insert into contents (id, channel_id, kind, title, summary, short_summary, keywords, visibility, layout, created_at, updated_at)
  select ${p.id}::uuid, t.id, ${p.kind}::text, ${p.title}::text, ${p.summary}::text, ${p.shortSummary}::text, ${p.keywords}::text[],
         ${p.visibility}::text, ${p.layout}::text, ${p.now}::timestamptz, ${p.now}::timestamptz
  from target t where t.owned
  returning id, channel_id
),${event('content.created')}${outcome}`;
}

/** Changes what is given; a null leaves the column as it is. */
export function updateContentBody(
  p: Placeholders<'id' | 'title' | 'summary' | 'shortSummary' | 'keywords' | 'visibility' | 'layout' | 'now'>,
): string {
  return `${target(p.id)},
changed as (
  update contents c set
    title = coalesce(${p.title}::text, c.title),
    summary = coalesce(${p.summary}::text, c.summary),
    short_summary = coalesce(${p.shortSummary}::text, c.short_summary),
    keywords = coalesce(${p.keywords}::text[], c.keywords),
    visibility = coalesce(${p.visibility}::text, c.visibility),
    layout = coalesce(${p.layout}::text, c.layout),
    updated_at = ${p.now}::timestamptz
  from target t where c.id = t.id and t.owned and t.status in (${statesFor('update')})
  returning c.id, c.channel_id
),${event('content.updated')}${outcome}`;
}

/** Publishes at once, or plans it where `inFuture`. What is published already is left as it is. */
export function publishContentBody(p: Placeholders<'id' | 'releaseAt' | 'inFuture' | 'now'>): string {
  return `${target(p.id)},
changed as (
  update contents c set
    status = case when ${p.inFuture}::boolean then c.status else 'PUBLISHED' end,
    published_at = case when ${p.inFuture}::boolean then null else ${p.now}::timestamptz end,
    release_at = ${p.releaseAt}::timestamptz,
    updated_at = ${p.now}::timestamptz
  from target t where c.id = t.id and t.owned and t.status in (${statesFor('publish')}) and t.status <> 'PUBLISHED'
  returning c.id, c.channel_id, c.status as now_status
),${event('content.published', `now_status = 'PUBLISHED'`, 'content.updated')}${outcome}`;
}

/** Takes a content back from the public, and forgets a planned or promised publication. */
export function unpublishContentBody(p: Placeholders<'id' | 'now'>): string {
  return `${target(p.id)},
changed as (
  update contents c set
    status = case when c.status = 'PUBLISHED' then 'READY' else c.status end,
    published_at = null,
    release_at = null,
    publish_when_ready = false,
    updated_at = ${p.now}::timestamptz
  from target t where c.id = t.id and t.owned and t.status in (${statesFor('unpublish')})
  returning c.id, c.channel_id, t.status as was_status
),${event('content.unpublished', `was_status = 'PUBLISHED'`, 'content.updated')}${outcome}`;
}

/** Puts a content into the trash: nobody sees it any more; its media is kept until it is purged. */
export function deleteContentBody(p: Placeholders<'id' | 'now'>): string {
  return `${target(p.id)},
changed as (
  update contents c set deleted_at = ${p.now}::timestamptz, release_at = null, publish_when_ready = false, updated_at = ${p.now}::timestamptz
  from target t where c.id = t.id and t.owned and t.status in (${statesFor('delete')})
  returning c.id, c.channel_id
),${event('content.deleted')}${outcome}`;
}
