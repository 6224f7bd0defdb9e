import { assignments, type BasedOn, type CommandScope, type FieldChanges, insertion } from '../../../gql/index.ts';
import type { ContentTarget } from '../../catalog/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';
import { MODERATION_FIELDS } from './moderation-fields.ts';

type Writes = Readonly<Record<'changed' | 'event', string>>;

/** Input of updateCommentSettings. */
export interface CommentSettingsChange extends ContentTarget, BasedOn {
  readonly mode: CommentMode;
}

/** Changes who may comment on a content. */
export function updateCommentSettingsWrites(s: CommandScope<CommentSettingsChange>): Writes {
  return {
    changed: `
    update contents c set comment_mode = ${s.value(({ mode }) => mode, 'text')}, updated_at = ${s.now}
    from permitted t where c.id = t.id returning c.*`,
    event: `insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed`,
  };
}

/** Parsed input of updateModeration. */
export interface ModerationChange extends BasedOn {
  readonly channel: string;
  readonly changes: FieldChanges<typeof MODERATION_FIELDS>;
}

/** SQL: the rules of the target's channel `ch`, if there are any. */
export const RULES_OF_TARGET = 'left join channel_moderation m on m.channel_id = ch.id';

/** Whether the rules that were written were still those that the caller had read: the target could not lock them. */
export const RULES_WERE_CURRENT = {
  name: 'rules_were_current',
  that: 'coalesce((select was_current from changed), true)',
};

/** Updates the moderation settings of a channel; rules that are the default need no row. */
export function updateModerationWrites(s: CommandScope<ModerationChange>): Writes {
  const { columns, values } = insertion(
    s,
    MODERATION_FIELDS,
    ({ changes: { blockedWords = [], holdLinks = false } }) => ({
      blockedWords,
      holdLinks,
    }),
  );
  const revisionGiven = s.value(({ ifRevision }) => ifRevision, 'integer');
  return {
    changed: `
    insert into channel_moderation as m (channel_id, ${columns}, updated_at)
    select t.id, ${values}, ${s.now} from permitted t
    where t.revision > 0 or (${values}) <> ('{}'::text[], false)
    on conflict (channel_id) do update set ${assignments(s, MODERATION_FIELDS, 'm', ({ changes }) => changes)},
      updated_at = excluded.updated_at
    returning channel_id, ${revisionGiven} is null or ${revisionGiven} = coalesce(old.revision, 0) as was_current`,
    event:
      `insert into events (type, channel_id, subject_id) select 'channel.updated', channel_id, channel_id ` +
      'from changed',
  };
}
