/**
 * Makes an enhancement until it is killed; prints a line for each step that it begins: `plan`, `chunk N`, and `finish`
 * when it has stored the first playlist, where it waits to be killed. Arguments: database, data folder, job.
 */

import { join } from 'node:path';
import { createRunner, openImageDecoder } from '../../../media/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readConfig } from '../../../platform/config/config.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLogger } from '../../../platform/log.ts';
import { DiskStore } from '../../../platform/storage/disk-store.ts';
import { UNLIMITED_SPACE } from '../../../platform/storage/storage-space.ts';
import { encodeClaimedChunk } from '../../transcode/encoding/encode-chunk.ts';
import { finishVideo } from '../../transcode/encoding/finish-video.handler.ts';
import { processVideo } from '../../transcode/encoding/process-video.handler.ts';
import { claimChunk } from '../../transcode/plans/encode-chunks.store.ts';
import { LocalSources } from '../../transcode/sources/local-sources.ts';
import { videoAdditions } from '../video-additions.ts';

const [url = '', folder = '', jobId = ''] = process.argv.slice(2);
const log = createLogger({ level: 'silent' });
const db = openDatabase({ url });

class Announced extends DiskStore {
  override async put(...args: Parameters<DiskStore['put']>): ReturnType<DiskStore['put']> {
    const stored = await super.put(...args);
    if (!args[0].endsWith('.m3u8')) return stored;
    process.stdout.write('finish\n');
    return new Promise(() => {});
  }
}

const platform = {
  ...{ log, db, clock: systemClock, space: UNLIMITED_SPACE },
  config: readConfig({ BASE_URL: 'http://reelgraph.test', DATA_DIR: folder }),
  store: new Announced(join(folder, 'objects')),
  jobs: openJobs({ url, db, log, worker: false }),
};
await platform.jobs.start();
const runner = await createRunner();
const tools = { platform, runner, sources: new LocalSources(platform.store), additions: videoAdditions };
const run = { signal: new AbortController().signal, attempt: 1 };
process.stdout.write('plan\n');
await processVideo({ ...tools, toneMapping: true, onPlanned: () => {} }, jobId, run);
for (let next = await claimChunk(db, null); next; next = await claimChunk(db, null)) {
  process.stdout.write(`chunk ${next.number}\n`);
  await encodeClaimedChunk(tools, next, { ...run, background: false });
}
const imageDecoder = openImageDecoder(runner, {
  onError: (error) => {
    throw error;
  },
});
await finishVideo({ ...tools, imageDecoder }, jobId, run);
