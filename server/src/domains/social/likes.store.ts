import type { CommandScope, CommandTarget } from '../../gql/index.ts';
import { type ContentTarget, isVisibleContent } from '../catalog/index.ts';
import { isBlocked } from './blocks/blocks.store.ts';

type Writes = Readonly<Record<'changed' | 'event', string>>;

/** The content and the viewer's relation to it. Its row is not locked: concurrent likes do not wait for each other. */
export function likeTarget(field: string): CommandTarget<ContentTarget> {
  return {
    field,
    from: (s) =>
      `join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind ` +
      `= ${s.value(({ kind }) => kind, 'text')} and c.deleted_at is null`,
    columns: (s) => ({
      id: 'c.id',
      channel_id: 'c.channel_id',
      account_id: `${s.viewer}.account_id`,
      visible: isVisibleContent('c', s),
      blocked: isBlocked(`${s.viewer}.account_id`, 'c.channel_id'),
    }),
  };
}

/** Likes a content; one that is already liked is left unchanged, without an event. */
export function likeContentWrites(s: CommandScope<ContentTarget>): Writes {
  return {
    changed: `
    insert into likes (content_id, account_id, created_at) select t.id, t.account_id, ${s.now} from permitted t
    on conflict do nothing returning content_id`,
    event:
      `insert into events (type, channel_id, subject_id) select 'content.liked', t.channel_id, t.id ` +
      'from permitted t, changed',
  };
}

/** Removes a like, even where the account is now blocked. */
export function unlikeContentWrites(): Writes {
  return {
    changed:
      'delete from likes l using permitted t where l.content_id = t.id and l.account_id = t.account_id ' +
      'returning l.content_id',
    event:
      `insert into events (type, channel_id, subject_id) select 'content.unliked', t.channel_id, t.id ` +
      'from permitted t, changed',
  };
}
