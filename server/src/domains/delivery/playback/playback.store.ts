import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { dashManifestOf, manifestPrefix, playableVideo } from '../../assets/index.ts';
import type { PublicKey } from './signing-key.ts';

/** What is played of a content. */
export interface PlayedContent {
  readonly title: string | null;
  /** Whether anyone may play the content. */
  readonly open: boolean;
  /** Its newest playable video; null without one. */
  readonly videoAssetId: string | null;
  /** Whether it is a stream with a chat. */
  readonly hasChat: boolean;
  /** Key prefix of the manifests of the newest playable video; null when there is no such content or video. */
  readonly manifestPrefix: string | null;
  /** The same for its package. */
  readonly packagePrefix: string | null;
  /** Name of the DASH manifest; null without one, and for videos that are sent encrypted. */
  readonly dash: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly thumbnails: { readonly pattern: string; readonly count: number; readonly vtt?: string } | null;
  /** Key of the largest file of the poster; null without one. */
  readonly posterKey: string | null;
}

/** A signing key, and the content that its channel has published. */
export interface PlaybackFacts extends PlayedContent, PublicKey {}

const POSTER = `select i.object_prefix || (i.variants -> 0 ->> 'file') from image_assets i
    where i.content_id = c.id and i.purpose in ('POSTER', 'THUMBNAIL')
    order by i.purpose = 'POSTER' desc, i.created_at desc, i.id desc limit 1`;
/** SQL: the columns of {@link PlayedContent}, of the content `c` and the video `a` that {@link PLAYED_VIDEO} joins. */
export const PLAYED_COLUMNS = `c.title, coalesce(c.effective_visibility <> 'PRIVATE', false) as open,
     a.package_prefix as "packagePrefix", ${manifestPrefix('a')} as "manifestPrefix", a.width, a.height,
     a.id as "videoAssetId",
     exists (select 1 from chats h where h.id = c.id) as "hasChat",
     ${dashManifestOf('a')} as dash,
     a.duration_ms as "durationMs", a.thumbnails, (${POSTER}) as "posterKey"`;
export const PLAYED_VIDEO = `left join video_assets a on a.id = ${playableVideo('c.id')}`;

const FACTS = sql(
  'playback_facts',
  `select k.algorithm, k.public_key as "publicKey", ${PLAYED_COLUMNS}
   from signing_keys k
   left join contents c on c.id = $2 and c.channel_id = k.channel_id and c.status = 'PUBLISHED'
     and c.deleted_at is null
   ${PLAYED_VIDEO}
   where k.id = $1`,
);

/** The key, and what it may play; null when there is no such key. */
export function playbackFacts(db: Executor, keyId: string, contentId: string): Promise<PlaybackFacts | null> {
  return db.first(FACTS, [keyId, contentId]);
}
