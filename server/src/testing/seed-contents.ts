import {
  type Person,
  publishedEpisode,
  type TestCatalog,
  type TestContent,
  uuidOf,
} from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import { createTrimmedVideo, createVideo } from './seed-catalog.ts';
import { PICTURE_PLAN } from './seed-plans.ts';

const CAPTIONS = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello.\n';

/** Contents of the owner, without a video. */
export function contentSeeds(catalog: TestCatalog, owner: Person) {
  return {
    async content(options?: TestContent) {
      // Frequent calls must not reach the comment limit.
      if (options?.comments) await catalog.rows('delete from comment_rate_limits');
      return catalog.content(owner, { status: 'PUBLISHED', ...options });
    },
    series: () => publishedEpisode(catalog, owner),
    async image() {
      const [content, id] = [await catalog.content(owner, { status: 'PUBLISHED' }), newId()];
      await catalog.rows(
        `insert into image_assets (id, channel_id, content_id, purpose, alt, width, height, mime_type, size_bytes,
          object_prefix, variants, dominant_color, blurhash)
         values ($1, $2, $3, 'OTHER', '', 1, 1, 'image/jpeg', 1, $4,
           '[{"file":"w1.jpg","width":1,"height":1,"format":"JPEG"}]', '#000000', '000000')`,
        [id, owner.channelId, uuidOf(content), `images/${id}/`],
      );
      return { content, image: formatDid(catalog.platform.config.DID_NAMESPACE, 'imageAsset', id) };
    },
    async contentTest() {
      const [content, id, variant] = [await catalog.content(owner, { status: 'PUBLISHED' }), newId(), newId()];
      await catalog.rows(
        `insert into content_tests (id, content_id, variants, apply_winner, min_days, max_days, started_at)
         values ($1, $2, 2, true, 1, 14, $3)`,
        [id, uuidOf(content), new Date(catalog.clock.now()).toISOString()],
      );
      await catalog.rows(
        `insert into content_test_variants (id, test_id, position, title)
         values ($1, $3, 0, 'A video'), ($2, $3, 1, 'Another title')`,
        [newId(), variant, id],
      );
      await catalog.rows('update contents set has_running_test = true where id = $1', [uuidOf(content)]);
      return { content, variant: formatDid(catalog.platform.config.DID_NAMESPACE, 'contentTestVariant', variant) };
    },
    async trashed() {
      const content = await catalog.content(owner);
      await catalog.rows('update contents set deleted_at = $2 where id = $1', [
        uuidOf(content),
        new Date(catalog.clock.now()).toISOString(),
      ]);
      return content;
    },
  };
}

/** Contents of the owner with a video, and the work on it. */
export function videoSeeds(catalog: TestCatalog, owner: Person) {
  return {
    async uploaded() {
      const content = await catalog.content(owner, { status: 'DRAFT' });
      await catalog.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
         values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/example', 5)`,
        [newId(), owner.channelId, uuidOf(content)],
      );
      return content;
    },
    async processed() {
      const [content, id] = [await catalog.content(owner, { status: 'READY' }), newId()];
      await catalog.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type)
         values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/example', 5, 'video/mp4')`,
        [id, owner.channelId, uuidOf(content)],
      );
      await catalog.rows('insert into encoded_videos (video_asset_id, plan, source_tag) values ($1, $2, $3)', [
        ...[id, JSON.stringify(PICTURE_PLAN), 'example'],
      ]);
      await catalog.rows(
        `insert into renditions (video_asset_id, folder, kind, origin, position, codecs, peak_bps, average_bps, label,
           width, height, frame_rate, timescale, durations)
         values ($1, 'example-1/v720', 'VIDEO', 'ENCODE', 0, 'avc1.64001f', 2400000, 2000000, '720p', 1280, 720, '25/1',
           12800, '[[51200, 15]]')`,
        [id],
      );
      await catalog.rows(
        `insert into renditions (video_asset_id, folder, kind, origin, position, codecs, peak_bps, average_bps, track,
           name, channels, sample_rate, is_default, timescale, durations)
         values ($1, 'example-1/audio', 'AUDIO', 'ENCODE', 1, 'mp4a.40.2', 128000, 128000, 0, 'Main', 2, 48000, true, 1,
           '[[4, 15]]')`,
        [id],
      );
      await catalog.rows(
        `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
         values ($1, $2, $3, 'en', 'English', 'SUBTITLES', $4, now(), now())`,
        [newId(), owner.channelId, uuidOf(content), CAPTIONS],
      );
      return content;
    },
    video: () => createVideo(catalog, owner),
    trimmed: () => createTrimmedVideo(catalog, owner),
    async captions() {
      const id = newId();
      await catalog.rows(
        `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
         values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT', now(), now())`,
        [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PUBLISHED' }))],
      );
      return `did:reelgraph:asset/captions/${id}`;
    },
  };
}

/** Processing of videos of the owner. */
export function jobSeeds(catalog: TestCatalog, owner: Person) {
  return {
    async job() {
      const id = newId();
      await catalog.rows(
        `insert into transcode_jobs (id, channel_id, content_id, status) values ($1, $2, $3, 'QUEUED')`,
        [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PROCESSING' }))],
      );
      return `did:reelgraph:job/${id}`;
    },
    async failedJob() {
      const id = newId();
      await catalog.rows(
        `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, finished_at, error_code,
           error_message, created_at)
         select $1, v.channel_id, v.content_id, v.id, 'ERROR', $3, 'INTERNAL_SERVER_ERROR', 'It failed.', $3
         from video_assets v where v.content_id = $2`,
        [id, uuidOf(await videoSeeds(catalog, owner).uploaded()), new Date(catalog.clock.now() - 1000).toISOString()],
      );
      return `did:reelgraph:job/${id}`;
    },
  };
}
