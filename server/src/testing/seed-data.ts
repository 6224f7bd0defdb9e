import { createInvitation } from '../domains/accounts/index.ts';
import {
  type Person,
  publishedEpisode,
  type TestCatalog,
  type TestContent,
  uuidOf,
} from '../domains/catalog/testing.ts';
import { connectYouTube } from '../domains/publishing/testing.ts';
import { formatDid } from '../gql/index.ts';
import { newId } from '../kernel/ids.ts';
import { addAccount, addToken } from './seed-accounts.ts';
import {
  addChannel,
  addComment,
  createTrimmedVideo,
  createVideo,
  makePlaylist,
  type TestPlaylist,
} from './seed-catalog.ts';
import { addSigningKey, addWebhook, type SeededWebhook } from './seed-integrations.ts';
import { PICTURE_PLAN } from './seed-plans.ts';

/** Creates the objects of examples. */
export interface SeedData {
  readonly catalog: TestCatalog;
  readonly owner: Person;
  /** A new content of the owner's channel, by its DID. */
  content(options?: Parameters<TestCatalog['content']>[1]): Promise<string>;
  /** A published series with a season and an episode. */
  series(): Promise<{ readonly serie: string; readonly season: string; readonly episode: string }>;
  /** A draft of the owner's channel with an uploaded video. */
  uploaded(): Promise<string>;
  /** A content of the owner's channel with a video that was processed, sound in stereo and captions in English. */
  processed(): Promise<string>;
  /** A content of the owner's channel with an image. */
  image(): Promise<{ readonly content: string; readonly image: string }>;
  /** A content of the owner's channel with a running test of titles, and the test's variant B. */
  contentTest(): Promise<{ readonly content: string; readonly variant: string }>;
  /** A signing key of the owner's channel. */
  signingKey(): Promise<string>;
  /** A webhook of the owner's channel, with a delivery, and a cursor before all events. */
  webhook(): Promise<SeededWebhook>;
  /** Another channel of the owner with the same members, by its DID. */
  channel(): Promise<string>;
  /** A new account without memberships, by its username. */
  account(): Promise<string>;
  /** Captions of a content of the owner's channel. */
  captions(): Promise<string>;
  /** A queued job of the owner's channel. */
  job(): Promise<string>;
  /** One that failed, of a content with an uploaded file. */
  failedJob(): Promise<string>;
  /** A content of the owner's channel that is in the trash. */
  trashed(): Promise<string>;
  playlist(): Promise<TestPlaylist>;
  /** A comment on a published content of the owner's channel; defaults to the owner's own. */
  comment(author?: Person): Promise<string>;
  /** A published content that the account likes and has started to watch. */
  liked(person: Person): Promise<string>;
  /** A pinned comment with the channel's heart and the account's like. */
  praised(person: Person): Promise<string>;
  /** A channel of somebody else. */
  followable(): Promise<string>;
  /** Another channel of the owner that the account follows. */
  followed(person: Person): Promise<string>;
  /** An account that only comments. */
  commenter(): Promise<Person>;
  /** A YouTube video that was not imported yet, by its identifier; its channel is connected to the account. */
  youtube(person: Person): Promise<string>;
  /** A content of the owner's channel with a playable video and its uploaded file. */
  video(): Promise<string>;
  /** One whose video was trimmed. */
  trimmed(): Promise<string>;
  /** A completed publication on YouTube. */
  publication(): Promise<string>;
  /** A queued export of an account, requested with the credential that it has here. */
  dataExport(person: Person): Promise<string>;
  /** An invitation of a new account to the channel of the owner, or of the given one to another channel. */
  channelInvitation(to?: Person, token?: string): Promise<string>;
  /** Makes the account a customer of the payment provider. */
  paymentCustomer(person: Person): Promise<void>;
  /** A valid invitation to the server. */
  invitation(): Promise<string>;
  /** An account that nothing else uses. */
  newAccount(): Promise<string>;
  /** A content in the account's Watch later. */
  inWatchLater(person: Person): Promise<string>;
  /** The account gets a notification about a content. */
  notified(person: Person): Promise<void>;
  /** A scoped token of the account. */
  token(person: Person): Promise<string>;
  /** An open report on a content of the owner's channel. */
  report(): Promise<string>;
  /** A closed report on a content that is taken down. */
  takenDown(): Promise<string>;
}

/** Creates objects for `owner` and in its channel: public ones if their state allows, or private ones. */
export function createSeedData(ofEverybody: TestCatalog, owner: Person, isPrivate = false): SeedData {
  const shown: TestContent = isPrivate ? { visibility: 'PRIVATE' } : {};
  const catalog: TestCatalog = {
    ...ofEverybody,
    content: (person, options) => ofEverybody.content(person, { ...options, ...shown }),
  };
  let commenter: Promise<Person> | undefined;
  let followable: string | undefined;
  return {
    catalog,
    owner,
    async content(options) {
      // Frequent calls must not reach the comment limit.
      if (options?.comments) await catalog.rows('delete from comment_rate_limits');
      return catalog.content(owner, { status: 'PUBLISHED', ...options });
    },
    series: () => publishedEpisode(catalog, owner),
    async liked(person) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows('insert into likes (content_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(content),
        person.accountId,
      ]);
      await catalog.rows(
        'insert into watch_positions (account_id, content_id, position_ms, watched_ms, completed, updated_at) ' +
          'values ($1, $2, 5, 5, false, now())',
        [person.accountId, uuidOf(content)],
      );
      return content;
    },
    async praised(person) {
      const comment = await addComment(catalog, owner, owner);
      await catalog.rows('update comments set pin = 1, hearted = true where id = $1', [uuidOf(comment)]);
      await catalog.rows('insert into comment_likes (comment_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(comment),
        person.accountId,
      ]);
      return comment;
    },
    async followable() {
      followable ??= (await catalog.person(`followable-${newId().slice(-12)}`)).channel;
      return followable;
    },
    async followed(person) {
      const channel = await addChannel(catalog, owner);
      await catalog.rows('insert into follows (channel_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(channel),
        person.accountId,
      ]);
      return channel;
    },
    commenter() {
      commenter ??= catalog.person(`commenter-${newId().slice(-12)}`);
      return commenter;
    },
    signingKey: () => addSigningKey(catalog, owner),
    webhook: () => addWebhook(catalog, owner),
    channel: () => addChannel(catalog, owner),
    account: async () => (await addAccount(catalog)).username,
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
    async dataExport({ accountId, credential }) {
      const id = newId();
      await catalog.rows(
        `insert into data_exports (id, account_id, credential_kind, credential_id, name, query, variables, position,
           created_at)
         select $1, $2, case when t.client_id is null then 'key' else 'oauth' end, coalesce(t.client_id, 'key'),
           'contents', '{ contents { edges { node { id } } } }', '{}', '{"after":null}', $4
         from (values ($3)) as given (token) left join oauth_access_tokens t on t.token = given.token`,
        [id, accountId, credential.kind === 'oauth' ? credential.tokenHash : '', new Date().toISOString()],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'dataExport', id);
    },
    async publication() {
      const [id, content] = [newId(), await catalog.content(owner, { status: 'PUBLISHED' })];
      await catalog.rows(
        `insert into youtube_publish_jobs (id, content_id, channel_id, account_id, youtube_channel_id, privacy_status,
          status, progress, object_key,
           content_type, size_bytes, sent_bytes, youtube_video_id, created_at, updated_at, sent_at, finished_at)
         values ($1, $2, $3, $4, 'UCexample', 'PRIVATE', 'COMPLETE', 100, 'sources/example', 'video/mp4', 5, 5,
           'a1B2c3D4e5F', $5, $5, $5, $5)`,
        [id, uuidOf(content), owner.channelId, owner.accountId, new Date(catalog.clock.now()).toISOString()],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'youtubePublishJob', id);
    },
    async captions() {
      const id = newId();
      await catalog.rows(
        `insert into captions (id, channel_id, content_id, language, label, kind, vtt, created_at, updated_at)
         values ($1, $2, $3, 'en', 'English', 'SUBTITLES', 'WEBVTT', now(), now())`,
        [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PUBLISHED' }))],
      );
      return `did:reelgraph:asset/captions/${id}`;
    },
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
        [id, uuidOf(await this.uploaded()), new Date(catalog.clock.now() - 1000).toISOString()],
      );
      return `did:reelgraph:job/${id}`;
    },
    async trashed() {
      const content = await catalog.content(owner);
      await catalog.rows('update contents set deleted_at = $2 where id = $1', [
        uuidOf(content),
        new Date(catalog.clock.now()).toISOString(),
      ]);
      return content;
    },
    playlist: () => makePlaylist(catalog, owner, isPrivate ? 'PRIVATE' : 'PUBLIC'),
    comment: (author = owner) => addComment(catalog, owner, author),
    async youtube(person) {
      const { google } = catalog;
      if (!google) throw new Error('open the catalogue with a FakeGoogle');
      await connectYouTube(catalog, google, person, { upload: true });
      const id = `video${String(google.videos.length).padStart(6, '0')}`;
      google.videos.unshift({ id, title: 'A video from YouTube', description: 'What it is about.', tags: ['video'] });
      return id;
    },
    async invitation() {
      const { id } = await createInvitation(catalog.platform, null, { note: 'For a guest' });
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'invitation', id);
    },
    async channelInvitation(to, token = newId()) {
      const id = newId();
      const accountId = to?.accountId ?? (await addAccount(catalog)).accountId;
      const channelId = to ? uuidOf(await this.channel()) : owner.channelId;
      const now = new Date(catalog.clock.now()).toISOString();
      await catalog.rows(
        `insert into channel_invitations (id, channel_id, account_id, role, token_hash, created_at, expires_at)
         values ($1, $2, $3, 'VIEWER', sha256($5::text::bytea), $4, $4::timestamptz + interval '7 days')`,
        [id, channelId, accountId, now, token],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'channelInvitation', id);
    },
    async paymentCustomer({ accountId }) {
      await catalog.rows(
        `insert into payment_customers (account_id, customer_id, created_at) values ($1, 'cus_' || $1::uuid, now())
         on conflict do nothing`,
        [accountId],
      );
    },
    async inWatchLater({ accountId }) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows('insert into watch_later (content_id, account_id, created_at) values ($1, $2, now())', [
        uuidOf(content),
        accountId,
      ]);
      return content;
    },
    async notified({ accountId }) {
      const content = await catalog.content(owner, { status: 'PUBLISHED' });
      await catalog.rows(
        `insert into notifications (id, account_id, kind, content_id, in_page, created_at)
         values ($1, $2, 'NEW_VIDEO', $3, true, now())`,
        [newId(), accountId, uuidOf(content)],
      );
    },
    newAccount: async () =>
      formatDid(catalog.platform.config.DID_NAMESPACE, 'user', (await addAccount(catalog)).accountId),
    async token({ accountId }) {
      const { id } = await addToken(catalog, accountId, ['content:read']);
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'token', id);
    },
    async takenDown() {
      const report = await this.report();
      const now = new Date(catalog.clock.now()).toISOString();
      await catalog.rows(
        `with closed as (update reports set status = 'RESOLVED', resolved_at = $2 where id = $1 returning content_id)
         update contents c set taken_down_at = $2, takedown_reason = 'Published spam.' from closed
         where c.id = closed.content_id`,
        [uuidOf(report), now],
      );
      return report;
    },
    async report() {
      const id = newId();
      await catalog.rows(
        'insert into reports (id, channel_id, content_id, subject_id, account_id, reason, created_at) values ($1, ' +
          `$2, $3, $3, $4, 'SPAM', now())`,
        [id, owner.channelId, uuidOf(await catalog.content(owner, { status: 'PUBLISHED' })), owner.accountId],
      );
      return formatDid(catalog.platform.config.DID_NAMESPACE, 'report', id);
    },
  };
}

const CAPTIONS = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello.\n';
