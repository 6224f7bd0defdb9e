import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { FakeGoogle } from '../fake-google.fixture.ts';
import { connectYouTube } from '../testing.ts';

const JOB = 'id contentId status progress privacyStatus youtubeVideoId youtubeUrl error createdAt finishedAt';
const PUBLISH =
  'mutation ($id: DID!, $privacy: YouTubePrivacyStatus) { publishContentToYouTube(id: $id, privacyStatus: $privacy) ' +
  `{ ${JOB} } }`;
const READ = `query ($id: DID!) { youtubePublishJob(id: $id) { ${JOB} } }`;

describe('publishing a content on YouTube', () => {
  let api: TestCatalog;
  let google: FakeGoogle;
  let owner: Person;
  let stranger: Person;
  const bytes = randomBytes(300_000);
  before(async () => {
    google = await FakeGoogle.start();
    api = await openTestCatalog({ jobs: true, google });
    [owner, stranger] = [await api.person('anna'), await api.person('stranger')];
  });
  after(() => api.close());
  beforeEach(async () => {
    await api.rows('delete from youtube_connections');
    await connectYouTube(api, google, owner, { upload: true });
    google.videos.length = 0;
  });

  /** A content with a playable video; `kept` lists its files. */
  async function video({ width = 160 as number | null, kept = ['source', 'made'] } = {}): Promise<string> {
    const content = await api.content(owner, { title: 'A video', status: 'PUBLISHED' });
    const id = newId<'video-asset'>();
    const [source, prefix] = [`sources/${id}`, `media/${uuidOf(content)}/${id}/p/`];
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, mime_type, width,
        package_prefix, extras, ready_at)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', $4, $5, 'video/quicktime', $6, $7,
         '{"videoDownload": "downloads/video.mp4"}', now())`,
      [id, owner.channelId, uuidOf(content), source, bytes.length, width, prefix],
    );
    if (kept.includes('source'))
      await api.platform.store.put(source, bytes, { contentType: 'application/octet-stream' });
    if (kept.includes('made'))
      await api.platform.store.put(`${prefix}downloads/video.mp4`, bytes.subarray(7), { contentType: 'video/mp4' });
    return content;
  }
  const publish = async (id: string, privacy?: string) =>
    (await api.ok(owner, PUBLISH, { id, privacy })).publishContentToYouTube;
  const ends = (id: string, videoId: string) =>
    api.rows(`update youtube_publish_jobs set status = 'COMPLETE', youtube_video_id = $2 where id = $1`, [
      uuidOf(id),
      videoId,
    ]);
  const sentFile = (id: string) =>
    api.row<{ key: string; type: string; size: number }>(
      'select object_key as key, content_type as type, size_bytes as size from youtube_publish_jobs where id = $1',
      [uuidOf(id)],
    );

  it('returns the running job for repeated requests, and is private by default', async () => {
    const content = await video();
    const job = await publish(content);
    const { id, createdAt, ...rest } = job;
    assert.deepEqual(rest, {
      contentId: content,
      status: 'PENDING',
      progress: 0,
      privacyStatus: 'PRIVATE',
      youtubeVideoId: null,
      youtubeUrl: null,
      error: null,
      finishedAt: null,
    });
    assert.match(id, /^did:reelgraph:youtube-publish-job\//);
    const [again, both] = [await publish(content, 'PUBLIC'), await Promise.all([publish(content), publish(content)])];
    assert.deepEqual(again, job);
    assert.deepEqual(both, [job, job]);
    const other = await video();
    const [one, two] = await Promise.all([publish(other), publish(other)]);
    assert.equal(one.id, two.id);
  });

  it('is visible to members of the channel, as a node and on the content', async () => {
    const content = await video();
    const { id } = await publish(content);
    const seen = await api.ok(
      owner,
      '{ node(id: "ID") { id } content(id: "C") { youtubePublishJob { id } } }'.replace('ID', id).replace('C', content),
    );
    assert.deepEqual(seen, { node: { id }, content: { youtubePublishJob: { id } } });
    const hidden = await api.ok(
      stranger,
      '{ node(id: "ID") { id } content(id: "C") { youtubePublishJob { id } } }'.replace('ID', id).replace('C', content),
    );
    assert.deepEqual(hidden, { node: null, content: { youtubePublishJob: null } });
    assert.equal((await api.refused(stranger, READ, { id })).code, 'RESOURCE_NOT_FOUND');
    assert.equal((await api.ok(owner, READ, { id })).youtubePublishJob.contentId, content);
  });

  it('sends the uploaded file, or the best rendition', async () => {
    const whole = await sentFile((await publish(await video())).id);
    assert.match(whole.key, /^sources\//);
    assert.deepEqual([whole.type, whole.size], ['video/quicktime', bytes.length]);
    const created = await sentFile((await publish(await video({ kept: ['made'] }))).id);
    assert.match(created.key, /downloads\/video\.mp4$/);
    assert.deepEqual([created.type, created.size], ['video/mp4', bytes.length - 7]);
  });

  it('is refused without a file or a connection', async () => {
    const refused = async (who: Person, id: string) => {
      const { code, field } = await api.refused(who, PUBLISH, { id });
      return `${code} ${field}`;
    };
    assert.equal(await refused(owner, await api.content(owner, { status: 'READY' })), 'INVALID_INPUT id');
    assert.equal(await refused(owner, await video({ kept: [] })), 'INVALID_INPUT id');
    assert.equal(await refused(owner, await video({ width: null })), 'INVALID_INPUT id');
    const content = await video();
    assert.equal(await refused(stranger, content), 'UNAUTHORIZED id');
    const viewer = await api.person('viewer');
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'VIEWER')`, [
      owner.channelId,
      viewer.accountId,
    ]);
    assert.equal(await refused(viewer, content), 'UNAUTHORIZED id');
    await api.rows('delete from youtube_connections');
    assert.equal(await refused(owner, content), 'UNAUTHORIZED undefined');
    await connectYouTube(api, google, owner);
    const { code, suggestedFix } = await api.refused(owner, PUBLISH, { id: content });
    assert.equal(code, 'UNAUTHORIZED');
    assert.match(suggestedFix, /allow uploads/);
    assert.deepEqual(await api.rows('select 1 from youtube_publish_jobs where content_id = $1', [uuidOf(content)]), []);
  });

  it('is refused for test data, which stays on this platform', async () => {
    const content = await video();
    await api.rows('update channels set is_test = true where id = $1', [owner.channelId]);
    const refused = await api.refused(owner, PUBLISH, { id: content });
    await api.rows('update channels set is_test = false where id = $1', [owner.channelId]);
    assert.deepEqual(
      [refused.code, refused.field, refused.message],
      ['INVALID_INPUT', 'id', 'This content is test data, which is not published elsewhere.'],
    );
    assert.deepEqual(await api.rows('select 1 from youtube_publish_jobs where content_id = $1', [uuidOf(content)]), []);
  });

  it('is not repeated while the video is on YouTube, but after it was deleted there', async () => {
    const content = await video();
    const { id } = await publish(content);
    await ends(id, 'abcdefghijk');
    google.videos = [{ id: 'abcdefghijk', title: 'A video' }];
    const { code, field, message } = await api.refused(owner, PUBLISH, { id: content });
    assert.deepEqual([code, field], ['RESOURCE_ALREADY_EXISTS', 'id']);
    assert.match(message, /https:\/\/www\.youtube\.com\/watch\?v=abcdefghijk/);
    google.videos = [];
    assert.notEqual((await publish(content)).id, id);
  });

  it('does not send a video back to the channel it came from', async () => {
    const content = await video();
    const came =
      'insert into youtube_imports (content_id, video_id, youtube_channel_id, created_at) values ($1, ' +
      `'abcdefghijk', $2, now())`;
    await api.rows(came, [uuidOf(content), google.channel.id]);
    google.videos = [{ id: 'abcdefghijk', title: 'A video' }];
    assert.equal((await api.refused(owner, PUBLISH, { id: content })).code, 'RESOURCE_ALREADY_EXISTS');
  });
});
