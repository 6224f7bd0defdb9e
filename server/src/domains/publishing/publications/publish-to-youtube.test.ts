import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { FakeGoogle, refused } from '../fake-google.fixture.ts';
import { PART_BYTES } from '../site/upload-steps.ts';
import { connectYouTube } from '../testing.ts';
import type { PublishTools } from './end-publication.ts';
import { insertPublishJob } from './publish-jobs.store.ts';
import { publishToYouTube } from './publish-to-youtube.handler.ts';
import { FakeUploads, result } from './upload-site.fixture.ts';
import { watchYouTubeProcessing } from './watch-youtube-processing.handler.ts';

interface JobRow {
  readonly status: string;
  readonly progress: number;
  readonly attempts: number;
  readonly status_checks: number;
  readonly sent_bytes: number;
  readonly youtube_video_id: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly sealed_session_url: Buffer | null;
}

describe('sending a video to the site', () => {
  let api: TestCatalog;
  let google: FakeGoogle;
  let site: FakeUploads;
  let tools: PublishTools;
  let owner: Person;
  const bytes = randomBytes(2 * PART_BYTES + 1_000_003);
  before(async () => {
    google = await FakeGoogle.start();
    site = new FakeUploads(google);
    api = await openTestCatalog({ jobs: true, google });
    owner = await api.person('anna');
    await connectYouTube(api, google, owner, { upload: true });
    const { publications } = api.domains.publishing.services.youtube ?? assert.fail('it is set up');
    tools = { ...publications, missMs: 1 };
    await api.platform.store.put('sources/video', Buffer.from(bytes), { contentType: 'video/mp4' });
  });
  after(() => api.close());
  afterEach(() => {
    site.intercept = null;
    site.uploads.length = 0;
    google.videos.length = 0;
    google.requests.length = 0;
  });

  async function newJob(objectKey = 'sources/video'): Promise<{ jobId: string; contentId: string }> {
    const contentId = uuidOf(await api.content(owner, { title: 'A <video>' }));
    const jobId = newId<'youtube-publish-job'>();
    const job = {
      id: jobId,
      contentId,
      channelId: owner.channelId,
      accountId: owner.accountId,
      siteChannelId: google.channel.id,
    };
    const file = { privacyStatus: 'UNLISTED', objectKey, contentType: 'video/mp4', sizeBytes: bytes.length } as const;
    await insertPublishJob(api.platform.db, { ...job, ...file }, new Date(api.clock.now()).toISOString());
    return { jobId, contentId };
  }
  const send = (jobId: string, signal = new AbortController().signal) =>
    publishToYouTube(tools, jobId, { signal, attempt: 1 });
  const look = (jobId: string, count: number) =>
    watchYouTubeProcessing(tools, { jobId, look: count }, new AbortController().signal);
  const row = (jobId: string) => api.row<JobRow>('select * from youtube_publish_jobs where id = $1', [jobId]);
  const token = async () => (await tools.access(owner.accountId)).token();
  const only = () => site.uploads[0] ?? assert.fail('an upload was begun');
  const becomes = (id: string, parts: Record<string, unknown>) => {
    google.videos = [{ id, title: 'A video', parts }];
  };
  const eventsOf = (jobId: string) =>
    api.rows<{ type: string; payload: Record<string, unknown> }>(
      'select type, payload from events where subject_id = $1',
      [jobId],
    );
  const planned = async (name: string, jobId: string) =>
    (
      await api.rows<{ seconds: number }>(
        'select extract(epoch from start_after - created_on)::int as seconds from pgboss.job where name = $1 ' +
          `and data -> 'payload' ->> 'jobId' = $2 and state = 'created'`,
        [name, jobId],
      )
    ).map(({ seconds }) => seconds);

  it('sends parts and texts, and is complete when the site confirms it', async () => {
    const { jobId, contentId } = await newJob();
    await send(jobId);
    const upload = only();
    assert.deepEqual(upload.resource, {
      snippet: { title: 'A ‹video›', description: '', tags: [] },
      status: { privacyStatus: 'unlisted' },
    });
    assert.deepEqual(
      upload.parts.map((part) => part.replace(/\/.*/, '')),
      [
        `bytes 0-${PART_BYTES - 1}`,
        `bytes ${PART_BYTES}-${2 * PART_BYTES - 1}`,
        `bytes ${2 * PART_BYTES}-${bytes.length - 1}`,
      ],
    );
    assert.ok(upload.bytes.equals(bytes));
    const sent = await row(jobId);
    assert.deepEqual(
      [sent.status, sent.progress, sent.sent_bytes, sent.sealed_session_url],
      ['PROCESSING', 80, bytes.length, null],
    );
    await look(jobId, 0);
    const done = await row(jobId);
    assert.deepEqual([done.status, done.progress, done.youtube_video_id], ['COMPLETE', 100, upload.videoId]);
    const youtubeUrl = `https://www.youtube.com/watch?v=${upload.videoId}`;
    assert.deepEqual(await eventsOf(jobId), [
      { type: 'youtube_publish.completed', payload: { contentId, youtubeVideoId: upload.videoId, youtubeUrl } },
    ]);
  });

  it('continues the same upload after a killed worker, at the offset of the site', THOROUGH, async () => {
    const { jobId } = await newJob();
    const halfWay = Promise.withResolvers<void>();
    const brokenOff = Promise.withResolvers<void>();
    site.intercept = async (request, response) => {
      if (!request.headers['content-range']?.startsWith(`bytes ${PART_BYTES}-`)) return false;
      let received = 0;
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (received > 1_000_000) halfWay.resolve();
      });
      await site.receive(only(), request, PART_BYTES).catch(() => brokenOff.resolve());
      response.destroy();
      return true;
    };
    const fixture = fileURLToPath(new URL('./killed-sender.fixture.ts', import.meta.url));
    const folder = join(api.platform.config.DATA_DIR, 'objects');
    const child = spawn(
      process.execPath,
      [fixture, api.platform.test.url, folder, google.addresses.upload, await token(), jobId],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const ended = once(child, 'exit');
    await Promise.race([halfWay.promise, ended]);
    child.kill('SIGKILL');
    assert.deepEqual(await ended, [null, 'SIGKILL']);
    await brokenOff.promise;
    const kept = only().bytes.length;
    assert.ok(kept > PART_BYTES && kept < bytes.length, `${kept} bytes had arrived`);
    assert.deepEqual([(await row(jobId)).status, (await row(jobId)).attempts], ['UPLOADING', 1]);
    site.intercept = null;
    await send(jobId);
    assert.equal(site.uploads.length, 1);
    assert.match(only().parts.at(1) ?? '', new RegExp(`^bytes ${kept}-`));
    assert.ok(only().bytes.equals(bytes));
    assert.deepEqual([(await row(jobId)).status, (await row(jobId)).attempts], ['PROCESSING', 2]);
  });

  it('creates no second video when the worker was killed before storing the first', async () => {
    const { jobId } = await newJob();
    let sealed: Buffer | null = null;
    site.intercept = async (request) => {
      if (request.method === 'PUT') sealed ??= (await row(jobId)).sealed_session_url;
      return false;
    };
    await send(jobId);
    const { videoId, parts } = only();
    await api.rows(
      `update youtube_publish_jobs set status = 'UPLOADING', youtube_video_id = null, sealed_session_url = $2 ` +
        'where id = $1',
      [jobId, sealed],
    );
    const before = parts.length;
    await send(jobId);
    assert.deepEqual([site.uploads.length, parts.length, (await row(jobId)).youtube_video_id], [1, before, videoId]);
  });

  it('survives broken connections, busy servers, an expired token and a lost upload', async () => {
    const { jobId } = await newJob();
    const errors = ['busy', 'broken', 'token', 'lost'];
    site.intercept = (request, response) => {
      if (request.method !== 'PUT' || request.headers['content-length'] === '0') return false;
      const problem = errors.shift();
      if (problem === 'busy') result(response, refused(503, 'backendError', 'No.'));
      else if (problem === 'broken') response.destroy();
      else if (problem === 'token') {
        google.endAccessTokens();
        return false;
      } else if (problem === 'lost') {
        site.forget(only());
        return false;
      } else return false;
      return true;
    };
    await send(jobId);
    assert.deepEqual([site.uploads.length, only().bytes.equals(bytes)], [1, true]);
    assert.equal(google.count('/token'), 1);
    assert.deepEqual([(await row(jobId)).status, (await row(jobId)).attempts], ['PROCESSING', 1]);
  });

  it('waits when the quota is used up, without using up attempts', async () => {
    const { jobId } = await newJob();
    site.intercept = (_, response) => {
      result(response, refused(403, 'quotaExceeded', 'No.'));
      return true;
    };
    await send(jobId);
    assert.equal((await row(jobId)).status, 'PENDING');
    const [seconds] = await planned('publish-to-youtube', jobId);
    assert.ok(seconds !== undefined && seconds >= 60, `tried again after ${seconds} s`);
  });

  it('fails with a message when the site refuses it, its file is missing, or its content was deleted', async () => {
    const refusedJob = await newJob();
    site.intercept = (_, response) => {
      result(response, refused(400, 'invalidTitle', 'No.'));
      return true;
    };
    await send(refusedJob.jobId);
    site.intercept = null;
    const replaced = await newJob('sources/none');
    await send(replaced.jobId);
    const deleted = await newJob();
    await api.rows('update contents set deleted_at = now() where id = $1', [deleted.contentId]);
    await send(deleted.jobId);
    const rows = await Promise.all([refusedJob, replaced, deleted].map(({ jobId }) => row(jobId)));
    assert.deepEqual(
      rows.map(({ status, error_code }) => `${status} ${error_code}`),
      ['ERROR UPLOAD_FAILED', 'ERROR UPLOAD_FAILED', 'ERROR RESOURCE_NOT_FOUND'],
    );
    assert.match(rows[1]?.error_message ?? '', /replaced or deleted.*publishContentToYouTube/);
    assert.deepEqual(
      (await eventsOf(deleted.jobId)).map(({ type }) => type),
      ['youtube_publish.failed'],
    );
  });

  it('hands the job to the next worker when stopped', async () => {
    const { jobId } = await newJob();
    const stopping = new AbortController();
    site.intercept = (request) => {
      if (request.headers['content-range']?.startsWith(`bytes ${PART_BYTES}-`))
        stopping.abort(new Error('the worker stops'));
      return false;
    };
    await assert.rejects(send(jobId, stopping.signal));
    assert.equal((await row(jobId)).status, 'PENDING');
    site.intercept = null;
    await send(jobId);
    assert.deepEqual(
      [site.uploads.length, only().bytes.equals(bytes), (await row(jobId)).status],
      [1, true, 'PROCESSING'],
    );
  });

  it('is checked again while the site processes it, without duplicates, and fails with the site’s reason', async () => {
    const { jobId } = await newJob();
    await send(jobId);
    const videoId = only().videoId ?? assert.fail('it has arrived');
    const processingDetails = { processingProgress: { partsTotal: '10', partsProcessed: '5' } };
    becomes(videoId, { status: { uploadStatus: 'uploaded' }, processingDetails });
    await Promise.all([look(jobId, 0), look(jobId, 0)]);
    const working = await row(jobId);
    assert.deepEqual([working.status, working.progress, working.status_checks], ['PROCESSING', 89, 1]);
    assert.deepEqual((await planned('watch-youtube-processing', jobId)).sort(), [0, 10]);
    becomes(videoId, { status: { uploadStatus: 'rejected', rejectionReason: 'length' } });
    await look(jobId, 1);
    const refused = await row(jobId);
    assert.deepEqual([refused.status, refused.youtube_video_id], ['ERROR', videoId]);
    assert.match(refused.error_message ?? '', /longer than this YouTube account may upload.*YouTube Studio/);
    await look(jobId, 1);
    assert.equal((await eventsOf(jobId)).length, 1);
  });

  it('refuses an upload address on another host', async () => {
    const { jobId } = await newJob();
    site.intercept = (request, response) => {
      const begins = request.url?.startsWith('/upload/') === true && request.method === 'POST';
      if (begins) result(response, { status: 200, headers: { location: 'https://elsewhere.example/upload' } });
      return begins;
    };
    await assert.rejects(send(jobId), (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE');
    assert.deepEqual([(await row(jobId)).status, (await row(jobId)).sealed_session_url], ['PENDING', null]);
  });
});
