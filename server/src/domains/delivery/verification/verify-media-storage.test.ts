import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { sql } from '../../../platform/db/statement.ts';
import { openTestS3Storage } from '../../../platform/storage/testing.ts';
import { sweepObjects } from '../../assets/quota/sweep-objects.ts';
import { createAssetsTestPlatform, makeContent } from '../../assets/testing.ts';
import { HOUR_MS, OPTIONS, openUpload } from './verify-media.fixture.ts';
import { verifyMedia } from './verify-media.ts';

it('verify-media knows the parts of uploads in S3', async () => {
  const s3 = await openTestS3Storage();
  const plain = await createAssetsTestPlatform();
  try {
    const { store, receiving } = s3;
    const platform = { ...plain, store };
    const upload = newId();
    await openUpload(platform, upload, await makeContent(platform));
    const body = Readable.from([Buffer.alloc(8_500_000)]);
    await receiving.append(`uploads/${upload}`, body, { offset: 0, sizeBytes: 9_000_000 });
    platform.clock.advance(100 * HOUR_MS);
    const running = await verifyMedia(platform, { ...OPTIONS, repair: true });
    assert.deepEqual([running.problems, running.objects.objects, running.objects.inUse], [[], 2, 2]);
    await platform.db.run(sql('expire', "update ingestions set state = 'EXPIRED'"), []);
    const { problems } = await verifyMedia(platform, { ...OPTIONS, repair: true });
    assert.deepEqual(
      new Set(problems.map(({ key }) => key)),
      new Set([`uploads/${upload}`, `uploads/${upload}.tail-8500000`]),
    );
    await sweepObjects({ platform, receiving });
    for await (const { key } of store.list('uploads/')) assert.fail(`${key} is still there`);
  } finally {
    await plain.close();
    await s3.close();
  }
});

it('verify-media reports each row of more than a page once, and lists the first thousand', async () => {
  const platform = await createAssetsTestPlatform();
  try {
    const { contentId, channelId } = await makeContent(platform);
    await platform.db.run(
      sql(
        'lost_videos',
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
         select gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/lost-' || n, 5
         from generate_series(1, 1200) n`,
      ),
      [channelId, contentId],
    );
    const { videos, problems, problemCounts } = await verifyMedia(platform, OPTIONS);
    assert.deepEqual([videos, problemCounts], [1_200, { MISSING_OBJECT: 1_200 }]);
    assert.deepEqual([problems.length, new Set(problems.map(({ key }) => key)).size], [1_000, 1_000]);
  } finally {
    await platform.close();
  }
});
