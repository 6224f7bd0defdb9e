import { t } from '../../lib/i18n.ts';

/** A labelled group of event types. */
export interface EventGroup {
  readonly title: string;
  readonly types: readonly string[];
}

const TITLES = {
  audience: t`Likes and followers`,
  videos: t`Videos and series`,
  uploads: t`Uploads and processing`,
  live: t`Live`,
  playlists: t`Playlists`,
  comments: t`Comments and reports`,
  channel: t`Channel and members`,
  youtube: 'YouTube',
  webhooks: t`Webhooks`,
  exports: t`Exports`,
  others: t`Other`,
} as const;
type Group = keyof typeof TITLES;

/** Group by prefix of the type; the first match applies. */
const BEGINNINGS: readonly (readonly [beginning: string, group: Group])[] = [
  ['content.liked', 'audience'],
  ['content.unliked', 'audience'],
  ['channel.followed', 'audience'],
  ['channel.unfollowed', 'audience'],
  ['content.', 'videos'],
  ['captions.', 'videos'],
  ['upload.', 'uploads'],
  ['image.', 'uploads'],
  ['job.', 'uploads'],
  ['asset.', 'uploads'],
  ['stream.', 'live'],
  ['chat_message.', 'live'],
  ['playlist.', 'playlists'],
  ['comment.', 'comments'],
  ['report.', 'comments'],
  ['channel.', 'channel'],
  ['member.', 'channel'],
  ['youtube_publish.', 'youtube'],
  ['webhook.', 'webhooks'],
  ['export.', 'exports'],
];

/** Groups the types in their order; types without a group come last. */
export function eventGroups(types: readonly string[]): EventGroup[] {
  const groups = new Map<Group, string[]>();
  const others: string[] = [];
  for (const type of types) {
    const group = BEGINNINGS.find(([beginning]) => type.startsWith(beginning))?.[1];
    if (group) groups.set(group, [...(groups.get(group) ?? []), type]);
    else others.push(type);
  }
  const known = [...groups].map(([group, members]) => ({ title: TITLES[group], types: members }));
  return others.length === 0 ? known : [...known, { title: TITLES.others, types: others }];
}
