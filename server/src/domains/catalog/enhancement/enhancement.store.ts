import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const REQUEST = sql('request_enhancement', 'update contents set enhance_when_ready = $2 where id = $1');

/** Stores whether the video of a content is to be enhanced once it is processed. */
export async function requestEnhancement(tx: Executor, contentId: string, enhance: boolean): Promise<void> {
  await tx.run(REQUEST, [contentId, enhance]);
}

const TAKE = sql(
  'take_enhancement_request',
  `update contents c set enhance_when_ready = false
   where id = $1 and enhance_when_ready and deleted_at is null
     and exists (select from video_assets v join encoded_videos e on e.video_asset_id = v.id where v.content_id = c.id)
     and not exists (select from transcode_jobs j where j.content_id = c.id
       and j.purpose in ('PROCESS', 'REPEAT') and j.status in ('IDLE', 'QUEUED', 'TRANSCODING', 'CANCELLING'))
   returning id`,
);

/** Takes the request to enhance a content whose video is processed; false where there is none, or it must wait. */
export async function takeEnhancementRequest(tx: Executor, contentId: string): Promise<boolean> {
  return (await tx.first(TAKE, [contentId])) !== null;
}
