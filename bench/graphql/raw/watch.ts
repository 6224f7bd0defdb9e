import { MASTER_PLAYLIST } from '../../../server/src/domains/assets/index.ts';
import { type DownloadFile, downloadAddress } from '../../../server/src/domains/assets/media-address.ts';
import { type Chapter, shownChapters } from '../../../server/src/domains/catalog/chapters/chapters.ts';
import type { ContentKind } from '../../../server/src/kernel/content-kinds.ts';
import { type Handler, query, VIEWER } from './database.ts';
import { address, addresses, contentDid, did, type Image, imageConnection, imageOf, seconds } from './values.ts';

const PICTURE = 'i.purpose, i.alt, i.width, i.height, i.dominant_color, i.object_prefix, i.variants';
const NEWEST = 'i.created_at desc, i.id desc';

/** A column of the variant that the viewer gets while a test of titles runs: a function, for the few that have one. */
const shown = (column: string) => `(shown_variant(c.id, c.channel_id, u.account_id, null, false, true)).${column}`;

const WATCH = `${VIEWER}, c as (
    select c.*, m.role, c.effective_visibility <> 'PRIVATE' as open
    from u join contents c on c.short_code = $2 left join channel_members m on m.channel_id = c.channel_id
      and m.account_id = u.account_id
    where c.deleted_at is null and (c.effective_visibility <> 'PRIVATE' or m.role is not null))
  select u.access_until, c.id, c.kind, c.status, c.published_at, c.created_at, c.comment_mode, c.title, c.summary,
    c.keywords, c.duration_ms, c.layout,
    c.visibility, c.number, c.chapters, c.role, c.open, c.allow_download,
    c.short_code, (select count(*)::int from captions p where p.content_id = c.id) as captions,
    counter_value('content:views', c.id) as views,
      counter_value('content:comments', c.id) as comments,
    counter_value('content:likes', c.id) as likes, exists (select 1 from likes l where l.content_id = c.id
      and l.account_id = u.account_id) as liked,
    w.position_ms, h.id as h_id, h.handle, h.title as h_title, counter_value('channel:followers', h.id) as followers,
    exists (select 1 from follows f where f.channel_id = h.id and f.account_id = u.account_id) as followed,
    (select json_agg(k) from (select k.id, k.slug, k.name, k.description from content_categories l join categories k
      on k.id = l.category_id
      where l.content_id = c.id order by k.name limit 5) k) as categories,
    (select json_agg(i) from (select ${PICTURE} from image_assets i where i.channel_id = h.id and i.content_id is null
      and i.playlist_id is null order by ${NEWEST} limit 4) i) as h_images,
    (select json_agg(i) from (select ${PICTURE} from image_assets i where i.content_id = c.id order by ${NEWEST}
      limit 3) i) as images,
    case when c.has_running_test then ${shown('title')} end as test_title,
    case when c.has_running_test then ${shown('id')} end as variant,
    (select row_to_json(i) from (select ${PICTURE} from image_assets i where i.content_id = c.id
      and case when c.has_running_test then i.id = coalesce(${shown('image_id')}, card_image(c.id))
        else i.purpose in ('THUMBNAIL', 'POSTER') end
      order by i.purpose = 'THUMBNAIL' desc, ${NEWEST} limit 1) i) as card_image,
    (select json_agg(i) from (select i.id, i.width, i.height, case when exists (select 1 from renditions r
        where r.video_asset_id = i.id) then 'media/' || i.content_id || '/' || i.id || '/' else i.package_prefix
        end as package_prefix
      from video_assets i where i.content_id = c.id and (i.ready_at is not null or c.role is not null)
      order by ${NEWEST} limit 3) i) as videos,
    (select json_build_object('id', i.id, 'prefix', i.package_prefix, 'thumbnails', i.thumbnails,
      'video', i.extras ->> 'videoDownload' is not null, 'audio', i.extras ->> 'audioDownload' is not null)
        from video_assets i where i.content_id = c.id and i.ready_at is not null
      order by ${NEWEST} limit 1) as playable
  from u left join c on true left join channels h on h.id = c.channel_id left join watch_positions w
    on w.content_id = c.id and w.account_id = u.account_id`;

/** The newest playable video. */
interface Playable {
  readonly id: string;
  readonly prefix: string;
  readonly thumbnails: { readonly pattern: string; readonly count: number } | null;
  /** Whether there are downloads. */
  readonly video: boolean;
  readonly audio: boolean;
}

interface WatchRow {
  /** Null where there is no such content, or it is not visible. */
  readonly id: string | null;
  readonly kind: ContentKind;
  readonly status: string;
  readonly published_at: string | null;
  readonly created_at: string;
  readonly comment_mode: string;
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly duration_ms: number | null;
  readonly layout: string;
  readonly visibility: string;
  readonly number: number | null;
  readonly chapters: Chapter[] | null;
  readonly role: string | null;
  readonly open: boolean;
  readonly allow_download: boolean;
  readonly short_code: string;
  readonly captions: number;
  readonly views: number;
  readonly comments: number;
  readonly likes: number;
  readonly liked: boolean;
  readonly position_ms: number | null;
  readonly h_id: string;
  readonly handle: string;
  readonly h_title: string;
  readonly followers: number;
  readonly followed: boolean;
  readonly categories:
    | readonly { readonly id: string; readonly slug: string; readonly name: string; readonly description: string }[]
    | null;
  readonly h_images: readonly Image[] | null;
  readonly images: readonly Image[] | null;
  readonly test_title: string | null;
  readonly variant: string | null;
  readonly card_image: Image | null;
  readonly videos:
    | readonly {
        readonly id: string;
        readonly package_prefix: string | null;
        readonly width: number;
        readonly height: number;
      }[]
    | null;
  readonly playable: Playable | null;
}

/** The watch page of a content. */
export const watch: Handler = async (key, { code }) => {
  const row = (await query<WatchRow>('watch', WATCH, [key, code]))?.[0];
  if (!row || row.id === null) return null;
  return {
    content: {
      id: contentDid(row.kind, row.id),
      kind: row.kind,
      shortCode: row.short_code,
      status: row.status,
      publishedAt: row.published_at,
      createdAt: row.created_at,
      viewCount: row.views,
      commentCount: row.comments,
      likes: { count: row.likes, isLiked: row.liked },
      commentSettings: { mode: row.comment_mode },
      metadata: metadataOf(row),
      chapters: chaptersOf(row),
      captions: { totalCount: row.captions },
      watchPosition: row.position_ms === null ? null : { positionMs: row.position_ms },
      channel: channelOf(row),
      card: {
        title: row.test_title ?? row.title,
        image: row.card_image && imageOf(row.card_image, row.open),
        variant: row.variant && did('contentTestVariant', row.variant),
      },
      ...assetsOf(row),
    },
  };
};

function metadataOf(row: WatchRow): object {
  return {
    title: row.title,
    summary: row.summary,
    keywords: row.keywords,
    duration: seconds(row.duration_ms),
    contentLayout: row.layout,
    visibility: row.visibility,
    number: row.number,
    categories: {
      edges: (row.categories ?? []).map(({ id, slug, name, description }) => ({
        node: { id: did('content/category', id), slug, name, description },
      })),
    },
  };
}

function chaptersOf(row: WatchRow): object[] {
  const shown = shownChapters({ set: row.chapters, description: row.summary, durationMs: row.duration_ms });
  return shown.map(({ startMs, endMs, title }) => ({ startMs, endMs, title }));
}

function channelOf(row: WatchRow): object {
  return {
    id: did('channel', row.h_id),
    handle: row.handle,
    isFollowed: row.followed,
    followersCount: row.followers,
    viewerRole: row.role,
    metadata: { title: row.h_title },
    assets: { images: imageConnection(row.h_images, true) },
  };
}

function assetsOf(row: WatchRow): object {
  const videos = (row.videos ?? []).map(({ id, package_prefix, width, height }) => {
    const playlistUrl = package_prefix === null ? null : address(package_prefix + MASTER_PLAYLIST, row.open);
    return { node: { id: did('asset/video', id), playlistUrl, width, height } };
  });
  const { playable } = row;
  const first =
    playable?.thumbnails && address(playable.prefix + playable.thumbnails.pattern.replace('%05d', '00001'), row.open);
  const videoThumbnails = first
    ? { urlFormat: first.replace('00001.', '%05d.'), count: playable?.thumbnails?.count, vtt: null }
    : null;
  return {
    assets: { videos: { edges: videos }, images: imageConnection(row.images, row.open) },
    outputAssets: playable && {
      video: { download: playable.video ? download(row, playable.id, 'video.mp4') : null },
      audio: { download: playable.audio ? download(row, playable.id, 'audio.m4a') : null },
      images: { videoThumbnails },
    },
  };
}

function download(row: WatchRow, id: string, file: DownloadFile): string | null {
  const open = row.open && row.allow_download;
  return open || row.role !== null ? downloadAddress(addresses(), id, file, open ? 'OPEN' : 'SIGNED') : null;
}
