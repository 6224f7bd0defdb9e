/** The prefix of the manifests of a video, generated or, in videos from before, in its package; null until playable. */
export function manifestPrefix(video: string): string {
  return (
    `case when exists (select 1 from renditions r where r.video_asset_id = ${video}.id) ` +
    `then 'media/' || ${video}.content_id || '/' || ${video}.id || '/' else ${video}.package_prefix end`
  );
}

/** SQL: the prefix of the manifests of the video with this id; null until it is playable. */
export function playableManifest(videoId: string): string {
  return `(select ${manifestPrefix('v')} from video_assets v where v.id = ${videoId} and v.ready_at is not null)`;
}

/** The rows of a video's renditions without segments, as JSON in their order; null where there are none. */
export function renditionRows(video: string): string {
  return (
    `(select jsonb_agg(to_jsonb(r) - 'durations' order by r.position) from renditions r ` +
    `where r.video_asset_id = ${video}.id)`
  );
}

/** SQL: whether the videos of the content with this id are sent encrypted, which is by HLS only. */
export function isSentEncrypted(contentId: string): string {
  return (
    `exists (select 1 from contents k join channels ch on ch.id = k.channel_id ` +
    `where k.id = ${contentId} and k.effective_visibility = 'PRIVATE' and ch.encrypt_private_videos)`
  );
}

/** The name of the DASH manifest of a video; null while it is sent encrypted, and where there is none. */
export function dashManifestOf(video: string): string {
  return (
    `case when not ${isSentEncrypted(`${video}.content_id`)} ` +
    `then case when exists (select 1 from renditions r where r.video_asset_id = ${video}.id) ` +
    `then ${dashOfRenditions(video)} else ${video}.extras ->> 'dash' end end`
  );
}

/** SQL: the name of the DASH manifest of a video with renditions; null where segments are not numbered without gaps. */
function dashOfRenditions(video: string): string {
  return (
    `case when not exists (select 1 from renditions r where r.video_asset_id = ${video}.id and r.origin = 'LIVE' ` +
    `and r.durations = '[]') then 'manifest.mpd' end`
  );
}
