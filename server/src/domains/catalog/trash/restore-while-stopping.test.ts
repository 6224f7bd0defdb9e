import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import type { Runner } from '../../../media/index.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { watchReports } from '../../assets/testing.ts';
import { makeVideoFile, processUploadedVideo, uploadVideo } from '../contents/videos.fixture.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const READ = '{ status transcodeJob { id status } }';
const WAIT = 'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 60 }) { status } }';
const mutation = (name: string) => `mutation ($id: DID!) { ${name}(id: $id) { __typename } }`;

describe('a content that is restored while its video is processed', () => {
  let api: TestCatalog;
  let runner: Runner;
  let untilReported: () => Promise<void>;
  let anna: Person;
  let video: Buffer;
  /** Called when the worker stores the first file of a package. */
  let onStore: (() => Promise<void>) | null = null;

  before(async () => {
    api = await openTestCatalog({ jobs: true });
    untilReported = watchReports(api.platform.db);
    runner = await openTestRunner();
    const { store } = api.platform;
    const putFile = store.putFile.bind(store);
    Object.assign(store, {
      putFile: async (...args: Parameters<typeof putFile>) => {
        const happens = onStore;
        onStore = null;
        await happens?.();
        return putFile(...args);
      },
    });
    await api.domains.media.startWork();
    await api.domains.media.startMediaWork({ runner, toneMapping: true });
    anna = await api.person('anna');
    const args = [
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=160x90:r=25:d=1',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      // Fragments have to be encoded: the content is not ready before.
      '-movflags',
      'frag_keyframe+empty_moov',
    ];
    video = await makeVideoFile(runner, api, 'a.mp4', args);
  });
  after(() => api.close());

  const act = (name: string, id: string) => api.ok(anna, mutation(name), { id });
  const read = async (id: string) =>
    (await api.ok(anna, `query ($id: DID!) { content(id: $id) ${READ} }`, { id })).content;
  async function objectsOf(id: string): Promise<number> {
    let count = 0;
    for await (const _ of api.platform.store.list(`media/${uuidOf(id)}/`)) count += 1;
    return count;
  }

  it('is a draft again when its job was cancelled, and can be submitted again', THOROUGH, async () => {
    const id = await uploadVideo(api, anna, video);
    let meanwhile: unknown;
    onStore = async () => {
      await act('cancelJob', (await read(id)).transcodeJob.id);
      await act('deleteContent', id);
      await act('restoreContent', id);
      const { status, transcodeJob } = await read(id);
      meanwhile = [status, transcodeJob.status];
      await untilReported();
    };
    await act('submitContentForProcessing', id);
    assert.equal((await api.ok(anna, WAIT, { id })).waitForProcessing.status, 'CANCELLED');
    assert.deepEqual(meanwhile, ['PROCESSING', 'CANCELLING']);
    const { status, transcodeJob } = await read(id);
    assert.deepEqual([status, transcodeJob.status], ['DRAFT', 'CANCELLED']);
    await until(async () => (await objectsOf(id)) === 0, 'what was encoded stayed behind');
    const posters = await api.rows('select 1 from image_assets where content_id = $1', [uuidOf(id)]);
    assert.equal(posters.length, 0);

    await processUploadedVideo(api, anna, id);
    assert.equal((await read(id)).status, 'READY');
    assert.ok((await objectsOf(id)) > 0);
  });

  it('is processed when it was in the trash only briefly', THOROUGH, async () => {
    const id = await uploadVideo(api, anna, video);
    onStore = async () => {
      await act('deleteContent', id);
      await act('restoreContent', id);
    };
    await processUploadedVideo(api, anna, id);
    const { status, transcodeJob } = await read(id);
    assert.deepEqual([status, transcodeJob.status], ['READY', 'COMPLETE']);
  });
});
