import type { RowScope } from '../../gql/index.ts';
import { isMember, isSharedOnly } from '../channels/index.ts';

type Owner = RowScope['owner'];
type Viewing = Pick<RowScope, 'viewer' | 'credential'>;
type Asking = Viewing & { readonly owner?: Owner };

/**
 * Whether anyone may watch the content with this id: its media has plain addresses. `owner` is the content if the row
 * with the id was reached from it.
 */
export function isOpenContent(contentId: string, owner?: Owner): string {
  if (owner?.name === 'content') return `${owner.t}.effective_visibility <> 'PRIVATE'`;
  return `coalesce((select k.effective_visibility <> 'PRIVATE' from contents k where k.id = ${contentId}), false)`;
}

/** Whether the content with this id is shared with the viewer, who is no member of its channel. */
function isSharedWithViewer(contentId: string, s: Asking): string {
  return s.credential === 'anonymous' ? 'false' : isSharedOnly(contentId, s);
}

/** SQL: the permission for the media of the content with this id (`MediaPermission`): its addresses are made by it. */
export function mediaPermission(contentId: string, s: Asking, open = isOpenContent(contentId, s.owner)): string {
  return (
    `case when ${open} then 'OPEN' when ${isSharedWithViewer(contentId, s)} then ${s.viewer}.account_id::text ` +
    `else 'SIGNED' end`
  );
}

/** SQL: the permission for the downloads of the content with this id, for viewers who may download them. */
export function downloadPermission(contentId: string, s: Asking): string {
  return mediaPermission(contentId, s, isOpenDownload(contentId, s.owner));
}

/** SQL: whether the content with this id is shared with the viewer, with its downloads. */
export function isSharedDownload(contentId: string, s: Asking): string {
  return (
    `(${isSharedWithViewer(contentId, s)} and ` +
    `exists (select 1 from contents k where k.id = ${contentId} and k.allow_download))`
  );
}

/** Whether anyone may download the content with this id; `owner` as for {@link isOpenContent}. */
export function isOpenDownload(contentId: string, owner?: Owner): string {
  if (owner?.name === 'content') return `(${isOpenContent(contentId, owner)} and ${owner.t}.allow_download)`;
  return (
    `exists (select 1 from contents k where k.id = ${contentId} ` +
    `and k.effective_visibility <> 'PRIVATE' and k.allow_download)`
  );
}

/** Whether the content with this id is not in the trash; `owner` as for {@link isOpenContent}. */
export function isKeptContent(contentId: string, owner?: Owner): string {
  if (owner?.name === 'content') return `${owner.t}.deleted_at is null`;
  return `exists (select 1 from contents k where k.id = ${contentId} and k.deleted_at is null)`;
}

/** Whether anyone with the link may see the playlist with this id. */
export function isOpenPlaylist(playlistId: string): string {
  return `coalesce((select l.open from playlists l where l.id = ${playlistId}), false)`;
}

/** The id of the newest playable video of the content with this id. */
export function playableVideo(contentId: string): string {
  return (
    `(select v.id from video_assets v where v.content_id = ${contentId} and ` +
    'v.ready_at is not null order by v.created_at desc, v.id desc limit 1)'
  );
}

/** Which videos the viewer may see: playable ones of public and shared contents, and all of their own channels. */
export function isVisibleVideo(child: string, s: Viewing): string {
  const content = `${child}.content_id`;
  return (
    `((${child}.ready_at is not null and (${isOpenContent(content)} or ${isSharedWithViewer(content, s)})) or ` +
    `(${isMember(s, `${child}.channel_id`)} and ${isKeptContent(content)}))`
  );
}

/**
 * Whether anyone may see the image: those of public contents and playlists, and of channels but for test channels.
 * `owner` is whose image it is, if the image was reached from there.
 */
export function isOpenImage(row: string, owner?: Owner): string {
  if (owner?.name === 'channel') return `not ${row}.is_test`;
  if (owner?.name === 'content') return `(${isOpenContent(`${row}.content_id`, owner)} and not ${row}.is_test)`;
  if (owner?.name === 'playlist') return `(${owner.t}.open and not ${row}.is_test)`;
  return (
    `((${row}.content_id is null or ${isOpenContent(`${row}.content_id`)}) and ` +
    `(${row}.playlist_id is null or ${isOpenPlaylist(`${row}.playlist_id`)}) and not ${row}.is_test)`
  );
}

/** SQL: the permission for the files of an image (`MediaPermission`). */
export function imagePermission(row: string, s: Asking): string {
  return mediaPermission(`${row}.content_id`, s, isOpenImage(row, s.owner));
}

/** Which images the viewer may see. */
export function isVisibleImage(child: string, s: Viewing): string {
  const content = `${child}.content_id`;
  return (
    `(${isOpenImage(child)} or ${isSharedWithViewer(content, s)} or ` +
    `(${isMember(s, `${child}.channel_id`)} and (${content} is null or ${isKeptContent(content)})))`
  );
}

/** Which captions the viewer may see. */
export function isVisibleCaptions(child: string, s: Viewing): string {
  const content = `${child}.content_id`;
  return (
    `(${isOpenContent(content)} or ${isSharedWithViewer(content, s)} or ` +
    `(${isMember(s, `${child}.channel_id`)} and ${isKeptContent(content)}))`
  );
}
