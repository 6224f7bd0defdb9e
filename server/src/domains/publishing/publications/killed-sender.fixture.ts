/**
 * A worker that uploads a file to the site and is killed meanwhile. Arguments: database, folder of the objects, upload
 * address, token, job.
 */
import { readConfig } from '../../../platform/config/config.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { openDatabase } from '../../../platform/db/database.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedExchange } from '../../../platform/fetch/guarded-exchange.ts';
import { openJobs } from '../../../platform/jobs/jobs.ts';
import { createLogger } from '../../../platform/log.ts';
import { DiskStore } from '../../../platform/storage/disk-store.ts';
import { readSiteAddresses } from '../site/site-addresses.ts';
import { youTubeUploads } from '../site/youtube-uploads.ts';
import { publishToYouTube } from './publish-to-youtube.handler.ts';

const [url = '', folder = '', upload = '', accessToken = '', jobId = ''] = process.argv.slice(2);
const db = openDatabase({ url });
const log = createLogger({ level: 'silent' });
const platform = {
  db,
  log,
  clock: { now: () => Date.now() },
  store: new DiskStore(folder),
  jobs: openJobs({ url, db, log, worker: false }),
  secrets: secretsFrom(Buffer.alloc(32, 7)),
};
const { exchange } = createGuardedExchange({ allow: readFetchAllow('127.0.0.1') });
const addresses = readSiteAddresses(readConfig({ YOUTUBE_UPLOAD_URL: upload }));
const uploads = youTubeUploads({ addresses, exchange, clock: platform.clock });
const token = async () => accessToken;
const access = async (accountId: string) => ({
  accountId,
  channelId: 'UC1',
  uploadsPlaylistId: 'UU1',
  hasUploadScope: true,
  token,
});
const tools = { platform, uploads, access };
await publishToYouTube(tools, jobId, { signal: new AbortController().signal, attempt: 1 });
