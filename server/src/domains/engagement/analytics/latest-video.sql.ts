/** The first weeks of a video, which are compared with those of others. */
export const COMPARED_HOURS = 28 * 24;
const COMPARED_VIDEOS = 10;

const isVideo = (c: string): string =>
  `${c}.kind in ('FEATURE', 'SHORT', 'EPISODE', 'STREAM') and ${c}.status = 'PUBLISHED' and ${c}.deleted_at is null`;

/** SQL: the id of the video of a channel that was published last. */
export function latestVideo(channel: string): string {
  return `(select p.id from contents p where p.channel_id = ${channel} and ${isVideo('p')}
    order by p.published_at desc nulls last, p.id desc limit 1)`;
}

/**
 * SQL: JSON with the age of the video `c`, its views since its publication, and those of up to ten videos before it at
 * the same age, fewest first; only of the first weeks.
 */
export function performanceSql(c: string, now: string): string {
  const age = `least(${now} - ${c}.published_at, interval '${COMPARED_HOURS} hours')`;
  const views = (video: string) =>
    `(select count(*) from content_views v where v.content_id = ${video}.id
      and v.at < ${video}.published_at + a.age + interval '1 millisecond')`;
  return `(select json_build_object('hours', floor(extract(epoch from a.age) / 3600)::int, 'views', ${views(c)},
      'earlier', (select coalesce(json_agg(n.views order by n.views), '[]') from (
        select ${views('b')} as views from (
          select p.id, p.published_at from contents p
          where p.channel_id = ${c}.channel_id and ${isVideo('p')} and p.id <> ${c}.id
            and p.published_at + a.age <= ${now}
          order by p.published_at desc, p.id desc limit ${COMPARED_VIDEOS}) b) n))
    from (select ${age} as age) a)`;
}
