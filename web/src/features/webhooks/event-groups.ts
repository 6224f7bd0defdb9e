import { t } from '../../lib/i18n.ts';
/** A labelled group of event types. */
export interface EventGroup {
  readonly title: string;
  readonly types: readonly string[];
}

const OTHERS = t`Other`;
/** Group by prefix of the type; the first match applies. */
const BEGINNINGS: readonly (readonly [beginning: string, group: string])[] = [
  ['content.liked', t`Likes and followers`],
  ['content.unliked', t`Likes and followers`],
  ['channel.followed', t`Likes and followers`],
  ['channel.unfollowed', t`Likes and followers`],
  ['content.', t`Videos and series`],
  ['captions.', t`Videos and series`],
  ['upload.', t`Uploads and processing`],
  ['image.', t`Uploads and processing`],
  ['job.', t`Uploads and processing`],
  ['asset.', t`Uploads and processing`],
  ['playlist.', t`Playlists`],
  ['comment.', t`Comments and reports`],
  ['report.', t`Comments and reports`],
  ['channel.', t`Channel and members`],
  ['member.', t`Channel and members`],
  ['youtube_publish.', 'YouTube'],
  ['webhook.', t`Webhooks`],
  ['export.', t`Exports`],
];

/** Groups the types in their order; types without a group come last. */
export function eventGroups(types: readonly string[]): EventGroup[] {
  const groups = new Map<string, string[]>();
  const others: string[] = [];
  for (const type of types) {
    const title = BEGINNINGS.find(([beginning]) => type.startsWith(beginning))?.[1];
    if (title) groups.set(title, [...(groups.get(title) ?? []), type]);
    else others.push(type);
  }
  const known = [...groups].map(([title, members]) => ({ title, types: members }));
  return others.length === 0 ? known : [...known, { title: OTHERS, types: others }];
}
