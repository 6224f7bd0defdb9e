import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { faultyRunner, openTestRunner, readClip } from '../../../media/testing.ts';
import { sql } from '../../../platform/db/statement.ts';
import { createLogger } from '../../../platform/log.ts';
import { makePlayable } from '../playable/make-playable.handler.ts';
import { openTestProcessing, type TestProcessing } from './processing.fixture.ts';

const RUN = { signal: new AbortController().signal, attempt: 1 };

/** A transport stream whose pictures become larger after a second. */
async function changingSize(): Promise<Buffer> {
  const runner = await openTestRunner();
  const part = (size: string, more: readonly string[]) => {
    const codec = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];
    return readClip(runner, 'part.ts', ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=25:d=1`, ...codec, ...more]);
  };
  return Buffer.concat([await part('160x90', []), await part('320x180', ['-output_ts_offset', '1'])]);
}

describe('a video whose streams are not as planned', () => {
  let fixture: TestProcessing;
  const lines: Record<string, unknown>[] = [];
  before(async () => {
    // Without a worker: tests run its jobs themselves.
    fixture = await openTestProcessing({ work: false, instant: true });
  });
  after(() => fixture.close());
  const logged = () => ({
    ...fixture.platform,
    log: createLogger({ level: 'info', destination: { write: (text) => void lines.push(JSON.parse(text)) } }),
  });
  const job = (jobId: string) =>
    fixture.platform.db.first<{ status: string; decodes_whole: boolean; error_code: string; error_message: string }>(
      sql('faulty_job', 'select status, decodes_whole, error_code, error_message from transcode_jobs where id = $1'),
      [jobId],
    );

  it('is decoded whole and encoded once more, from a copy that is deleted afterwards', async () => {
    const { contentId, assetId } = await fixture.upload(await changingSize());
    const jobId = await fixture.submit(contentId);
    await fixture.process(jobId);
    assert.deepEqual(await job(jobId), {
      status: 'QUEUED',
      decodes_whole: true,
      error_code: null,
      error_message: null,
    });
    await fixture.process(jobId);
    assert.deepEqual(await fixture.jobRow(jobId), {
      status: 'COMPLETE',
      attempts: 2,
      error_code: null,
      deployed: true,
    });
    const { width, height, duration_ms: durationMs } = await fixture.assetRow(assetId);
    assert.deepEqual([width, height, durationMs], [320, 180, 2_000]);
    const purged = await fixture.platform.db.run(
      sql('purged_copies', `select 1 from object_purges where key_prefix like '%/index/source'`),
      [],
    );
    assert.equal(purged.length, 1);
  });

  it(
    'fails with a fault of the server where that is in vain; what is played stays, and the log has it',
    THOROUGH,
    async () => {
      const { contentId, assetId, sourceKey } = await fixture.upload(fixture.clip);
      const jobId = await fixture.submit(contentId);
      await makePlayable({ platform: fixture.platform, runner: fixture.runner }, assetId, RUN);
      const black = faultyRunner(fixture.runner, { of: 0, filters: 'drawbox=c=black:t=fill' });
      for (let round = 0; round < 2; round += 1) await fixture.process(jobId, logged(), 'end', black);
      const { status, error_code: code, error_message: message = '' } = (await job(jobId)) ?? {};
      assert.deepEqual([status, code], ['ERROR', 'PROCESSING_FAULT']);
      const id = /The log has it under ([0-9a-f-]{36})\./.exec(message)?.[1];
      assert.equal(
        message,
        'The encoded streams did not pass verification: at 0:00, the picture is black where the file is not. The ' +
          'fault is that of this server, not of your file, which is kept. ' +
          `The log has it under ${id}. Report the id in ` +
          'the message to the operator; after an update of the server, process the video again.',
      );
      const found = lines.filter(({ faultId }) => faultId === id);
      assert.deepEqual(
        found.map(({ msg, jobId: of }) => [msg, of]),
        [['fault of the encoding', jobId]],
      );
      assert.ok(await fixture.platform.store.head(sourceKey), 'the uploaded file is kept');
      assert.equal((await fixture.contentRow(contentId)).status, 'READY');
      const played = `media/${contentId}/${assetId}/copy-1/`;
      assert.equal((await fixture.assetRow(assetId)).package_prefix, played);
      assert.deepEqual(await fixture.keys(`media/${contentId}/`), await fixture.keys(played));
    },
  );
});
