import type { CommandScope } from '../../../gql/index.ts';
import type { ContentTarget } from '../../catalog/index.ts';
import { isMember, mayInChannel } from '../../channels/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';

const V = { viewer: 'v' } as const;

type Ctes = Readonly<Record<'target' | 'changed' | 'event', string>>;

/** What updateCommentSettings knows after reading its input. */
export interface CommentSettingsChange extends ContentTarget {
  readonly mode: CommentMode;
}

/** `returns` of updateCommentSettings: all null when there is no such content. */
export const CONTENT_FACTS = {
  member: 'select member from target',
  may: 'select may from target',
  open: 'select open from target',
  status: 'select status from target',
} as const;

/** Changes who may comment on a content. */
export function updateCommentSettingsCtes(s: CommandScope<CommentSettingsChange>): Ctes {
  return {
    target: `
    select c.id, c.status, ${isMember(V, 'c.channel_id')} as member, ${mayInChannel(V, 'c.channel_id', 'comment:moderate')} as may,
      c.reach <> 'NONE' as open
    from ${s.allowed} v
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')} and c.deleted_at is null`,
    changed: `
    update contents c set comment_mode = ${s.value(({ mode }) => mode, 'text')}, updated_at = ${s.now}
    from target t where c.id = t.id and t.may returning c.*`,
    event: `insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed`,
  };
}

/** What updateModeration knows after reading its input; null leaves what is there. */
export interface ModerationChange {
  readonly channel: string;
  readonly blockedWords: readonly string[] | null;
  readonly holdLinks: boolean | null;
}

/** `returns` of updateModeration: null when there is no such channel. */
export const CHANNEL_FACTS = { member: 'select member from target', may: 'select may from target' } as const;

/** Changes what holds comments in a channel. */
export function updateModerationCtes(s: CommandScope<ModerationChange>): Ctes {
  const words = s.value(({ blockedWords }) => blockedWords, 'text[]');
  const links = s.value(({ holdLinks }) => holdLinks, 'boolean');
  return {
    target: `
    select ch.id, ${isMember(V, 'ch.id')} as member, ${mayInChannel(V, 'ch.id', 'comment:moderate')} as may
    from ${s.allowed} v join channels ch on ch.id = ${s.value(({ channel }) => channel, 'uuid')}`,
    changed: `
    insert into channel_moderation as m (channel_id, blocked_words, hold_links, updated_at)
    select t.id, coalesce(${words}, '{}'), coalesce(${links}, false), ${s.now} from target t where t.may
    on conflict (channel_id) do update set blocked_words = coalesce(${words}, m.blocked_words),
      hold_links = coalesce(${links}, m.hold_links), updated_at = excluded.updated_at
    returning channel_id`,
    event: `insert into events (type, channel_id, subject_id) select 'channel.updated', channel_id, channel_id from changed`,
  };
}
