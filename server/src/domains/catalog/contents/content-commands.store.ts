import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { type ChannelPermission, givenChannelTarget, rolesFor } from '../../channels/index.ts';
import { type ContentAction, type ContentStatus, LIFECYCLE } from '../publication/lifecycle.ts';
import type { StoredDetails } from '../taxonomy/content-details.ts';
import { linkingWrites, reassigned, withMissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import type { ContentLayout, Release, StoredTexts, Visibility } from './content-input.ts';

/**
 * Single-statement commands on contents: the target with the facts for the policy, and the writes from it where the
 * policy permits.
 */
type Writes = Readonly<Record<string, string>>;

/** Input common to all commands on an existing content. */
export interface ContentTarget {
  readonly id: string;
  /** As the DID says. */
  readonly kind: ContentKind;
}

/** The content of a command, locked, as the viewer sees it. */
export function contentTarget<Input extends ContentTarget>(permission: ChannelPermission, field = 'id'): CommandTarget<Input> {
  return {
    field,
    from: (s) => `
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')} and c.deleted_at is null
    left join channel_members m on m.channel_id = c.channel_id and m.account_id = ${s.viewer}.account_id
    for update of c`,
    columns: () => ({
      id: 'c.id',
      channel_id: 'c.channel_id',
      status: 'c.status',
      member: 'm.role is not null',
      may: `coalesce(m.role in (${rolesFor(permission)}), false)`,
      open: `c.effective_visibility <> 'PRIVATE'`,
    }),
  };
}

/** The content of an action. */
export function actionTarget<Input extends ContentTarget>(action: ContentAction): CommandTarget<Input> {
  return contentTarget(LIFECYCLE[action].permission);
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

/** The channel of a new content, and whether its taxonomy terms exist. */
export const NEW_CONTENT_TARGET: CommandTarget<NewContent> = withMissingTerm(givenChannelTarget<NewContent>('content:create'));

/** Inserts a content without a parent. */
export function createContentWrites(s: CommandScope<NewContent>): Writes {
  return {
    changed: `
    insert into contents (id, channel_id, kind, status, title, summary, short_summary, keywords, visibility, layout, rating_id, language, note, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${s.value(({ kind }) => kind, 'text')}, ${s.value(({ status }) => status, 'text')}, ${s.value(({ title }) => title, 'text')},
           ${s.value(({ summary }) => summary, 'text')}, ${s.value(({ shortSummary }) => shortSummary, 'text')},
           ${s.value(({ keywords }) => keywords, 'text[]')}, ${s.value(({ visibility }) => visibility, 'text')},
           ${s.value(({ layout }) => layout, 'text')}, ${s.value(({ rating }) => rating, 'uuid')}, ${languageOf(s, 'null::text')},
           coalesce(${s.value(({ note }) => note, 'text')}, ''), ${s.now}, ${s.now}
    from permitted t
    returning *`,
    ...linkingWrites(s),
    event: event('content.created'),
  };
}

/** The language after the change; `und` removes it. */
function languageOf(s: CommandScope<StoredDetails>, before: string): string {
  return `nullif(coalesce(${s.value(({ language }) => language, 'text')}, ${before}), 'und')`;
}

export interface ContentChanges extends ContentTarget, StoredTexts, StoredDetails {
  readonly visibility: Visibility | null;
  readonly layout: ContentLayout | null;
  readonly allowDownload: boolean | null;
}

/** The content that is changed, and whether its taxonomy terms exist. */
export const CHANGE_TARGET: CommandTarget<ContentChanges> = withMissingTerm(actionTarget<ContentChanges>('update'));

/** Updates the given columns; null keeps a column. */
export function updateContentWrites(s: CommandScope<ContentChanges>): Writes {
  return {
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
    from permitted t where c.id = t.id
    returning c.*, ${reassigned(s)}`,
    event: event('content.updated'),
  };
}

export interface Publication extends ContentTarget, Release {}

/** The content that is published, and whether at a future date. */
export const PUBLICATION_TARGET: CommandTarget<Publication> = {
  ...actionTarget<Publication>('publish'),
  columns: (s) => ({ ...actionTarget<Publication>('publish').columns(s), inFuture: s.value((input) => input.inFuture, 'boolean') }),
};

/** Publishes at once, or schedules a future date. A published content is left unchanged. */
export function publishContentWrites(s: CommandScope<Publication>): Writes {
  const inFuture = s.value((input) => input.inFuture, 'boolean');
  return {
    changed: `
    update contents c set
      status = case when ${inFuture} then c.status else 'PUBLISHED' end,
      published_at = case when ${inFuture} then null else ${s.now} end,
      release_at = ${s.value(({ releaseAt }) => releaseAt, 'timestamptz')},
      updated_at = ${s.now}
    from permitted t where c.id = t.id and t.status <> 'PUBLISHED'
    returning c.*, c.status as now_status`,
    event: event('content.published', `now_status = 'PUBLISHED'`, 'content.updated'),
  };
}

/** Unpublishes a content and clears a scheduled or requested publication. */
export function unpublishContentWrites(s: CommandScope<ContentTarget>): Writes {
  return {
    changed: `
    update contents c set
      status = case when c.status = 'PUBLISHED' then 'READY' else c.status end,
      published_at = null, release_at = null, publish_when_ready = false, updated_at = ${s.now}
    from permitted t where c.id = t.id
    returning c.*, t.status as was_status`,
    event: event('content.unpublished', `was_status = 'PUBLISHED'`, 'content.updated'),
  };
}
