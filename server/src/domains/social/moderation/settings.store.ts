import type { CommandScope } from '../../../gql/index.ts';
import type { ContentTarget } from '../../catalog/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';

type Writes = Readonly<Record<'changed' | 'event', string>>;

/** Input of updateCommentSettings. */
export interface CommentSettingsChange extends ContentTarget {
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

/** Input of updateModeration; null keeps a value. */
export interface ModerationChange {
  readonly channel: string;
  readonly blockedWords: readonly string[] | null;
  readonly holdLinks: boolean | null;
}

/** Updates the moderation settings of a channel. */
export function updateModerationWrites(s: CommandScope<ModerationChange>): Writes {
  const words = s.value(({ blockedWords }) => blockedWords, 'text[]');
  const links = s.value(({ holdLinks }) => holdLinks, 'boolean');
  return {
    changed: `
    insert into channel_moderation as m (channel_id, blocked_words, hold_links, updated_at)
    select t.id, coalesce(${words}, '{}'), coalesce(${links}, false), ${s.now} from permitted t
    on conflict (channel_id) do update set blocked_words = coalesce(${words}, m.blocked_words),
      hold_links = coalesce(${links}, m.hold_links), updated_at = excluded.updated_at
    returning channel_id`,
    event: `insert into events (type, channel_id, subject_id) select 'channel.updated', channel_id, channel_id from changed`,
  };
}
