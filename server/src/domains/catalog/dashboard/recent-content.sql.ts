import { errorTextOf } from '../../../platform/db/stored-text.ts';
import { playableManifest } from '../../assets/index.ts';
import { isProcessingJob } from '../../transcode/index.ts';

/** Entries of the list. */
export const MOST_RECENT = 10;

/** SQL: JSON array of the newest contents of a channel in every state, each with its latest processing. */
export function recentContentSql(channelId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', c.id, 'kind', c.kind, 'title', c.title,
      'visibility', c.visibility, 'open', c.effective_visibility <> 'PRIVATE' and c.status = 'PUBLISHED',
      'job', (select json_build_object('id', j.id, 'status', j.status, 'progress', j.progress,
          'deployed', j.deployed, 'error', ${errorTextOf('j')}, 'prefix', ${playableManifest('j.video_asset_id')},
          'submittedAt', j.created_at, 'finishedAt', j.finished_at)
        from transcode_jobs j where j.content_id = c.id and ${isProcessingJob('j')}
        order by j.created_at desc, j.id desc limit 1)) order by c.created_at desc, c.id desc), '[]')
    from (select c.* from contents c where c.channel_id = ${channelId} and c.deleted_at is null
      order by c.created_at desc, c.id desc limit ${MOST_RECENT}) c)`;
}
