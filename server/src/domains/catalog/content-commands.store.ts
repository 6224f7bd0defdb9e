import type { CommandScope } from '../../gql/index.ts';
import type { ContentKind } from '../../kernel/content-kinds.ts';
import type { EventType } from '../../kernel/event-types.ts';
import { isMember, mayInChannel, rolesFor } from '../channels/index.ts';
import type { ContentLayout, Release, StoredTexts, Visibility } from './content-input.ts';
import { type ContentAction, type ContentStatus, LIFECYCLE, statesFor } from './lifecycle.ts';
import type { StoredDetails } from './taxonomy/content-details.ts';
import { filingCte, IS_FILED, linkingCtes, refiled, UNFILED } from './taxonomy/filing.store.ts';

/**
 * The commands on contents that are one statement each: common table expressions behind `viewer` and `allowed`. Each
 * finds its `target`, makes its `changed` rows where the policy lets it, and writes the event. `CONTENT_FACTS` tells whose the
 * content is, whether it is open to all and its state before (all null when there is none): from that the policy says
 * why nothing was changed.
 */
/** The alias of the viewer's row in the statements below. */
const V = { viewer: 'v' } as const;

type Ctes = Readonly<Record<string, string>>;

export const CONTENT_FACTS = {
  member: 'select member from target',
  may: 'select may from target',
  open: 'select open from target',
  status: 'select status from target',
} as const;

/** What every command on an existing content knows after reading its input. */
export interface ContentTarget {
  readonly id: string;
  /** As the DID says. */
  readonly kind: ContentKind;
}

/** CTE: the content an action is about, locked, with what the policy wants to know. */
export function target(s: CommandScope<ContentTarget>, action: ContentAction): string {
  return `
    select c.id, c.channel_id, c.status, m.role is not null as member,
           coalesce(m.role in (${rolesFor(LIFECYCLE[action].permission)}), false) as may, c.reach <> 'NONE' as open, c.duration_ms
    from ${s.allowed} v
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')} and c.deleted_at is null
    left join channel_members m on m.channel_id = c.channel_id and m.account_id = v.account_id
    for update of c`;
}

/** Writes the event of a change into the log: `type`, or `otherwise` where the condition over `changed` does not hold. */
function event(type: EventType, when?: string, otherwise: EventType = type): string {
  const name = when === undefined ? `'${type}'` : `case when ${when} then '${type}' else '${otherwise}' end`;
  return `insert into events (type, channel_id, subject_id) select ${name}, channel_id, id from changed`;
}

export interface NewContent extends StoredDetails {
  readonly id: string;
  /** Null: the viewer's own channel. */
  readonly channel: string | null;
  readonly kind: ContentKind;
  readonly status: ContentStatus;
  readonly title: string;
  readonly summary: string;
  readonly shortSummary: string;
  readonly keywords: readonly string[];
  readonly visibility: Visibility;
  readonly layout: ContentLayout;
}

/** `returns` of createContent: whether the channel is there, and the viewer's. */
export const NEW_CONTENT_FACTS = { member: 'select member from target', may: 'select may from target', ...UNFILED } as const;

/** Makes a content without a parent. */
export function createContentCtes(s: CommandScope<NewContent>): Ctes {
  return {
    ...filingCte(s),
    target: `
    select ch.id, ${isMember(V, 'ch.id')} as member, ${mayInChannel(V, 'ch.id', 'content:create')} as may
    from ${s.allowed} v join channels ch on ch.id = coalesce(${s.value(({ channel }) => channel, 'uuid')}, v.channel_id)`,
    changed: `
    insert into contents (id, channel_id, kind, status, title, summary, short_summary, keywords, visibility, layout, rating_id, language, note, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${s.value(({ kind }) => kind, 'text')}, ${s.value(({ status }) => status, 'text')}, ${s.value(({ title }) => title, 'text')},
           ${s.value(({ summary }) => summary, 'text')}, ${s.value(({ shortSummary }) => shortSummary, 'text')},
           ${s.value(({ keywords }) => keywords, 'text[]')}, ${s.value(({ visibility }) => visibility, 'text')},
           ${s.value(({ layout }) => layout, 'text')}, ${s.value(({ rating }) => rating, 'uuid')}, ${languageOf(s, 'null::text')},
           coalesce(${s.value(({ note }) => note, 'text')}, ''), ${s.now}, ${s.now}
    from target t where t.may and ${IS_FILED}
    returning *`,
    ...linkingCtes(s),
    event: event('content.created'),
  };
}

/** The language after the change; `und` takes it away. */
function languageOf(s: CommandScope<StoredDetails>, before: string): string {
  return `nullif(coalesce(${s.value(({ language }) => language, 'text')}, ${before}), 'und')`;
}

/** `returns` of updateContent. */
export const CHANGE_FACTS = { ...CONTENT_FACTS, ...UNFILED } as const;

export interface ContentChanges extends ContentTarget, StoredTexts, StoredDetails {
  readonly visibility: Visibility | null;
  readonly layout: ContentLayout | null;
  readonly allowDownload: boolean | null;
}

/** Changes what is given; a null leaves the column as it is. */
export function updateContentCtes(s: CommandScope<ContentChanges>): Ctes {
  return {
    ...filingCte(s),
    target: target(s, 'update'),
    changed: `
    update contents c set
      title = coalesce(${s.value(({ title }) => title, 'text')}, c.title),
      summary = coalesce(${s.value(({ summary }) => summary, 'text')}, c.summary),
      short_summary = coalesce(${s.value(({ shortSummary }) => shortSummary, 'text')}, c.short_summary),
      keywords = coalesce(${s.value(({ keywords }) => keywords, 'text[]')}, c.keywords),
      visibility = coalesce(${s.value(({ visibility }) => visibility, 'text')}, c.visibility),
      layout = coalesce(${s.value(({ layout }) => layout, 'text')}, c.layout),
      allow_download = coalesce(${s.value(({ allowDownload }) => allowDownload, 'boolean')}, c.allow_download),
      rating_id = coalesce(${s.value(({ rating }) => rating, 'uuid')}, c.rating_id),
      language = ${languageOf(s, 'c.language')},
      is_premiere = coalesce(${s.value(({ isPremiere }) => isPremiere, 'boolean')}, c.is_premiere),
      is_finale = coalesce(${s.value(({ isFinale }) => isFinale, 'boolean')}, c.is_finale),
      note = coalesce(${s.value(({ note }) => note, 'text')}, c.note),
      updated_at = ${s.now}
    from target t where c.id = t.id and t.may and t.status in (${statesFor('update')}) and ${IS_FILED}
    returning c.*, ${refiled(s)}`,
    event: event('content.updated'),
  };
}

export interface Publication extends ContentTarget, Release {}

/** Publishes at once, or plans it where the date is to come. What is published already is left as it is. */
export function publishContentCtes(s: CommandScope<Publication>): Ctes {
  const inFuture = s.value((input) => input.inFuture, 'boolean');
  return {
    target: target(s, 'publish'),
    changed: `
    update contents c set
      status = case when ${inFuture} then c.status else 'PUBLISHED' end,
      published_at = case when ${inFuture} then null else ${s.now} end,
      release_at = ${s.value(({ releaseAt }) => releaseAt, 'timestamptz')},
      updated_at = ${s.now}
    from target t where c.id = t.id and t.may and t.status in (${statesFor('publish')}) and t.status <> 'PUBLISHED'
    returning c.*, c.status as now_status`,
    event: event('content.published', `now_status = 'PUBLISHED'`, 'content.updated'),
  };
}

/** Takes a content back from the public, and forgets a planned or promised publication. */
export function unpublishContentCtes(s: CommandScope<ContentTarget>): Ctes {
  return {
    target: target(s, 'unpublish'),
    changed: `
    update contents c set
      status = case when c.status = 'PUBLISHED' then 'READY' else c.status end,
      published_at = null, release_at = null, publish_when_ready = false, updated_at = ${s.now}
    from target t where c.id = t.id and t.may and t.status in (${statesFor('unpublish')})
    returning c.*, t.status as was_status`,
    event: event('content.unpublished', `was_status = 'PUBLISHED'`, 'content.updated'),
  };
}
