import type { CommandScope } from '../../gql/index.ts';
import { type ContentTarget, isVisibleContent } from '../catalog/index.ts';
import { isBlocked } from './moderation/blocks.store.ts';

const V = { viewer: 'v' } as const;

type Ctes = Readonly<Record<'target' | 'changed' | 'event', string>>;

/** `returns` of the commands on likes: null when there is no such content for the viewer. */
export const LIKE_FACTS = { blocked: 'select blocked from target' } as const;

/** The content with who asks; no row when the viewer may not see it. Its row is not locked: likers do not wait for each other. */
function target(s: CommandScope<ContentTarget>): string {
  return `
    select c.id, c.channel_id, v.account_id, ${isBlocked('v.account_id', 'c.channel_id')} as blocked
    from ${s.allowed} v
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')} and ${isVisibleContent('c', V)}`;
}

/** Likes a content; one that is liked already stays as it is, and no event is written. */
export function likeContentCtes(s: CommandScope<ContentTarget>): Ctes {
  return {
    target: target(s),
    changed: `
    insert into likes (content_id, account_id, created_at) select t.id, t.account_id, ${s.now} from target t where not t.blocked
    on conflict do nothing returning content_id`,
    event: `insert into events (type, channel_id, subject_id) select 'content.liked', t.channel_id, t.id from target t, changed`,
  };
}

/** Takes a like back, also from where the account is blocked by now. */
export function unlikeContentCtes(s: CommandScope<ContentTarget>): Ctes {
  return {
    target: target(s),
    changed: `delete from likes l using target t where l.content_id = t.id and l.account_id = t.account_id returning l.content_id`,
    event: `insert into events (type, channel_id, subject_id) select 'content.unliked', t.channel_id, t.id from target t, changed`,
  };
}
