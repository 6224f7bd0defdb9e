import type { Executor } from '../../../platform/db/database.ts';
import { firstLocked } from '../../../platform/db/first-locked.ts';
import { sql } from '../../../platform/db/statement.ts';
import { COMPLETE_DIGIT } from './poster-frame-ids.ts';

const CHOOSE = sql(
  'choose_poster',
  `with image as (select id from image_assets where id = $2 and content_id = $1),
   chosen as (
     update image_assets i set purpose = 'POSTER', video_asset_id = null from image
     where i.id = image.id and (i.purpose <> 'POSTER' or i.video_asset_id is not null) returning 1
   ),
   former as (
     update image_assets i set purpose = 'OTHER' from image where i.content_id = $1 and i.purpose in ('POSTER',
       'THUMBNAIL') and i.id <> image.id returning 1
   )
   select exists (select from chosen) or exists (select from former) as "isChanged" from image`,
);

/**
 * Makes an image of a content its poster, which stays when the video is replaced; the previous poster and a thumbnail
 * are kept as OTHER. Whether that changed anything; null when the content has no such image.
 */
export async function choosePosterImage(
  tx: Executor,
  contentId: string,
  imageAssetId: string,
): Promise<boolean | null> {
  return (await tx.first<{ isChanged: boolean }>(CHOOSE, [contentId, imageAssetId]))?.isChanged ?? null;
}

const REQUEST_POSTER = sql(
  'request_poster',
  'update contents set poster_request_id = $2 where id = $1 and poster_request_id is distinct from $2 returning 1',
);

/** Stores the current poster request, replacing an earlier one or its result. Whether that changed anything. */
export async function requestPoster(tx: Executor, contentId: string, requestId: string): Promise<boolean> {
  return (await tx.run(REQUEST_POSTER, [contentId, requestId])).length > 0;
}

const WITHDRAW = sql(
  'withdraw_poster_request',
  `update contents set poster_request_id = null where id = $1 and poster_request_id::text not like $2 || '%'
   returning 1`,
);

/** Withdraws the poster request, unless it is complete. Whether there was one. */
export async function withdrawPosterRequest(tx: Executor, contentId: string): Promise<boolean> {
  return (await tx.run(WITHDRAW, [contentId, COMPLETE_DIGIT])).length > 0;
}

const FORGET = sql(
  'forget_poster_request',
  'update contents set poster_request_id = null where id = $1 and poster_request_id is not null',
);

/** Withdraws the poster request, or forgets that the poster is its result. */
export async function forgetPosterRequest(tx: Executor, contentId: string): Promise<void> {
  await tx.run(FORGET, [contentId]);
}

const WANTED = sql(
  'poster_wanted',
  'select 1 from contents where id = $1 and poster_request_id = $2 and deleted_at is null',
);

/** Whether the request is still the current one. */
export async function isPosterWanted(db: Executor, contentId: string, requestId: string): Promise<boolean> {
  return (await db.first(WANTED, [contentId, requestId])) !== null;
}

const END = sql(
  'end_poster_request',
  `update contents set poster_request_id = $3 where id = $1 and poster_request_id = $2
   returning channel_id as "channelId", title, deleted_at is null as kept`,
);

/** Puts `next` in the place of the request; null when it is no longer the current one. */
export function endPosterRequest(
  tx: Executor,
  contentId: string,
  requestId: string,
  next: string | null,
): Promise<{ channelId: string; title: string; kept: boolean } | null> {
  return tx.first(END, [contentId, requestId, next]);
}

const IS_SHOWN = sql(
  'poster_request_shown',
  `select 1 from contents c where c.id = $1 and c.poster_request_id = $2
     and exists (select from image_assets i where i.content_id = c.id and i.purpose = 'POSTER')
     and not exists (select from image_assets i where i.content_id = c.id and i.purpose = 'THUMBNAIL')`,
);

/** Whether the result of a request is the image that lists show: the last one, with nothing uploaded since. */
export async function isPosterShown(tx: Executor, contentId: string, requestId: string): Promise<boolean> {
  return (await tx.first(IS_SHOWN, [contentId, requestId])) !== null;
}

const ASIDE = sql(
  'set_thumbnail_aside',
  `update image_assets set purpose = 'OTHER' where content_id = $1 and purpose = 'THUMBNAIL'`,
);

/** Turns the thumbnail of a content into OTHER, so that lists show the poster. */
export async function setThumbnailAside(tx: Executor, contentId: string): Promise<void> {
  await tx.run(ASIDE, [contentId]);
}

const BARE = sql(
  'content_without_poster',
  `select c.channel_id as "channelId", c.title from contents c
   where c.id = $1 and c.deleted_at is null
     and not exists (select 1 from image_assets i where i.content_id = c.id and i.purpose in ('POSTER', 'THUMBNAIL'))
   for update of c`,
);

/** A content without poster and thumbnail, locked until the transaction ends; null otherwise. */
export function lockContentWithoutPoster(
  tx: Executor,
  contentId: string,
): Promise<{ channelId: string; title: string } | null> {
  return firstLocked(tx, BARE, [contentId]);
}

const PLAYABLE = sql(
  'playable_video',
  `select id, width, duration_ms::float8 as "durationMs" from video_assets where content_id = $1
    and ready_at is not null
   order by created_at desc, id desc limit 1`,
);

/** The newest playable video of a content; without a width it is audio only. */
export function newestPlayableVideo(
  tx: Executor,
  contentId: string,
): Promise<{ id: string; width: number | null; durationMs: number } | null> {
  return tx.first(PLAYABLE, [contentId]);
}
