import { assignments, type BasedOn, type CommandScope, type CommandTarget, insertion } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { EventType } from '../../../kernel/event-types.ts';
import { type ChannelPermission, givenChannelTarget, rolesFor, tokenAllows } from '../../channels/index.ts';
import { linkingWrites, reassigned, reassigns, withMissingTerm } from '../taxonomy/taxonomy-terms.store.ts';
import { CONTENT_FIELDS, type ContentChanges, type ContentValues, type Visibility } from './content-fields.ts';
import type { Release } from './content-input.ts';
import { isVisibleContent } from './content-visibility.sql.ts';
import { type ContentAction, type ContentStatus, LIFECYCLE } from './lifecycle.ts';

/**
 * Single-statement commands on contents: the target with the facts for the policy, and the writes from it where the
 * policy permits.
 */
type Writes = Readonly<Record<string, string>>;

/** Input common to all commands on an existing content. */
export interface ContentTarget {
  readonly id: string;
  /** Kind from the DID. */
  readonly kind: ContentKind;
}

/**
 * The requesting account, for what it takes out of a list of its own, and the content for the payload, which reads the
 * rows of all ids that it is given: null if the account may not see it.
 */
export const OWN_LIST_TARGET: CommandTarget<ContentTarget> = {
  field: 'id',
  columns: (s) => ({
    account_id: `${s.viewer}.account_id`,
    content_id: `(select c.id from contents c where c.id = ${s.value(({ id }) => id, 'uuid')}
      and ${isVisibleContent('c', s)})`,
  }),
  payloadColumns: ['content_id'],
};

/** The content of a command, locked, as the viewer sees it. */
export function contentTarget<Input extends ContentTarget>(
  permission: ChannelPermission,
  field = 'id',
  { join = '', locked = 'c' } = {},
): CommandTarget<Input> {
  return {
    field,
    from: (s) => `
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')}
      and c.deleted_at is null
    left join channel_members m on m.channel_id = c.channel_id
      and m.account_id = ${s.viewer}.account_id${tokenAllows(s, null)}
    ${join} for update of ${locked}`,
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

/** Writes the event of a change to the log: `type`, or `otherwise` when the condition on `changed` is false. */
function event(type: EventType, when?: string, otherwise: EventType = type): string {
  const name = when === undefined ? `'${type}'` : `case when ${when} then '${type}' else '${otherwise}' end`;
  return `insert into events (type, channel_id, subject_id) select ${name}, channel_id, id from changed`;
}

export interface NewContent {
  readonly id: string;
  /** Null: the viewer's own channel. */
  readonly channel: string | null;
  readonly kind: ContentKind;
  readonly status: ContentStatus;
  readonly values: ContentValues;
}

/** The channel of a new content, and whether its taxonomy terms exist. */
export const NEW_CONTENT_TARGET: CommandTarget<NewContent> = withMissingTerm(
  givenChannelTarget<NewContent>('content:create'),
  ({ values }) => values,
);

/** Inserts a content without a parent. */
export function createContentWrites(s: CommandScope<NewContent>): Writes {
  const { columns, values } = insertion(s, CONTENT_FIELDS, (input) => input.values);
  return {
    changed: `
    insert into contents (id, channel_id, kind, status, ${columns}, created_at, updated_at)
    select ${s.value(({ id }) => id, 'uuid')}, t.id, ${s.value(({ kind }) => kind, 'text')},
      ${s.value(({ status }) => status, 'text')}, ${values},
           ${s.now}, ${s.now}
    from permitted t
    returning *`,
    ...linkingWrites(s, (input) => input.values),
    event: event('content.created'),
  };
}

/** Parsed input of updateContent. */
export interface ContentUpdate extends ContentTarget, BasedOn {
  readonly changes: ContentChanges;
}

/** The content that is changed, and whether its taxonomy terms exist. */
export const CHANGE_TARGET: CommandTarget<ContentUpdate> = withMissingTerm(
  actionTarget<ContentUpdate>('update'),
  ({ changes }) => changes,
);

/** Updates the given fields. */
export function updateContentWrites(s: CommandScope<ContentUpdate>): Writes {
  return {
    changed: `
    update contents c set ${assignments(s, CONTENT_FIELDS, 'c', ({ changes }) => changes)}, updated_at = ${s.now},
      revision = c.revision + (${reassigns(s, ({ changes }) => changes)})::int
    from permitted t where c.id = t.id
    returning c.*, ${reassigned(s, ({ changes }) => changes)}`,
    event: event('content.updated'),
  };
}

export interface Publication extends ContentTarget, Release {
  /** Who can see it then; null keeps what it has. */
  readonly visibility: Visibility | null;
  /** Whether a content without a processed video is published once it has one. */
  readonly whenReady: boolean;
}

/**
 * The content that is published, whether at a future date, whether it may wait for its video, and whether the caller
 * says who can see it.
 */
export const PUBLICATION_TARGET: CommandTarget<Publication> = {
  ...actionTarget<Publication>('publish'),
  columns: (s) => ({
    ...actionTarget<Publication>('publish').columns(s),
    inFuture: s.value((input) => input.inFuture, 'boolean'),
    whenReady: s.value((input) => input.whenReady, 'boolean'),
    withVisibility: s.value((input) => input.visibility !== null, 'boolean'),
  }),
};

/**
 * Publishes at once, schedules a future date, or requests the publication of a video that is not ready. A published
 * content is left unchanged, unless a visibility is given: then it gets that, and a future date unpublishes it until
 * then.
 */
export function publishContentWrites(s: CommandScope<Publication>): Writes {
  const inFuture = s.value((input) => input.inFuture, 'boolean');
  const visibility = s.value((input) => input.visibility, 'text');
  const atOnce = `t.status = 'READY' and not ${inFuture}`;
  const staysPublished = `t.status = 'PUBLISHED' and not ${inFuture}`;
  return {
    changed: `
    update contents c set
      visibility = coalesce(${visibility}, c.visibility),
      status = case when ${atOnce} then 'PUBLISHED' when t.status = 'PUBLISHED' and ${inFuture} then 'READY'
        else c.status end,
      published_at = case when ${atOnce} then ${s.now} when ${staysPublished} then c.published_at end,
      publish_when_ready = t.status not in ('READY', 'PUBLISHED'),
      release_at = case when ${staysPublished} then c.release_at
        else ${s.value(({ releaseAt }) => releaseAt, 'timestamptz')} end,
      updated_at = ${s.now}
    from permitted t where c.id = t.id and (t.status <> 'PUBLISHED' or ${visibility} is not null)
    returning c.*, case when c.status = t.status then 'content.updated' when c.status = 'PUBLISHED'
      then 'content.published' else 'content.unpublished' end as event_type`,
    event: 'insert into events (type, channel_id, subject_id) select event_type, channel_id, id from changed',
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
