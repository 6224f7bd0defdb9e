/** A labelled group of event types. */
export interface EventGroup {
  readonly title: string;
  readonly types: readonly string[];
}

const OTHERS = 'Other';
/** Group by prefix of the type; the first match applies. */
const BEGINNINGS: readonly (readonly [beginning: string, group: string])[] = [
  ['content.liked', 'Likes and followers'],
  ['content.unliked', 'Likes and followers'],
  ['channel.followed', 'Likes and followers'],
  ['channel.unfollowed', 'Likes and followers'],
  ['content.', 'Videos and series'],
  ['captions.', 'Videos and series'],
  ['upload.', 'Uploads and processing'],
  ['image.', 'Uploads and processing'],
  ['job.', 'Uploads and processing'],
  ['asset.', 'Uploads and processing'],
  ['playlist.', 'Playlists'],
  ['comment.', 'Comments and reports'],
  ['report.', 'Comments and reports'],
  ['channel.', 'Channel and members'],
  ['member.', 'Channel and members'],
  ['youtube_publish.', 'YouTube'],
  ['webhook.', 'Webhooks'],
  ['export.', 'Exports'],
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
