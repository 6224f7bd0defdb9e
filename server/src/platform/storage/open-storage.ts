import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { DiskReceivingStore } from './disk-receiving.ts';
import { clearTemporaryFiles, DiskStore } from './disk-store.ts';
import type { ObjectStore } from './object-store.ts';
import type { ReceivingStore } from './receiving-store.ts';
import type { S3Settings } from './s3-client.ts';
import { DiskSpace, type StorageSpace } from './storage-space.ts';

export interface Storage {
  readonly store: ObjectStore;
  /** Uploads in progress; completed ones appear in `store` under the same key. */
  readonly receiving: ReceivingStore;
  readonly space: StorageSpace;
}

/** The configured storage: a folder in DATA_DIR, or a bucket. The S3 client is loaded only where it is used. */
export async function openStorage(config: Config): Promise<Storage> {
  if (config.STORAGE === 'disk') {
    const root = join(config.DATA_DIR, 'objects');
    await clearTemporaryFiles(root);
    const space = new DiskSpace(root, config.STORAGE_RESERVE);
    const receiving = new DiskReceivingStore(root, space);
    return {
      store: new DiskStore(root, space),
      receiving,
      space: { read: () => space.read(), receivedBytes: (key) => receiving.receivedBytes(key) },
    };
  }
  const [{ createS3Client }, { S3Store }, { S3ReceivingStore }] = await Promise.all([
    import('./s3-client.ts'),
    import('./s3-store.ts'),
    import('./s3-receiving.ts'),
  ]);
  const settings = s3SettingsOf(config);
  const { bucket } = settings;
  const client = createS3Client(settings);
  const store = new S3Store(client, bucket, join(config.DATA_DIR, 'tmp', 'objects'));
  const receiving = new S3ReceivingStore(client, bucket, store);
  const totalBytes = config.STORAGE_CAPACITY;
  const space: StorageSpace = {
    read: async () => (totalBytes === undefined ? null : { kind: 'bucket', totalBytes }),
    receivedBytes: (key) => receiving.receivedBytes(key),
  };
  return { store, receiving, space };
}

/** The bucket of STORAGE=s3; readConfig refuses that without bucket and keys. */
export function s3SettingsOf(config: Config): S3Settings {
  return {
    bucket: config.S3_BUCKET ?? '',
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    accessKeyId: config.S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: config.S3_SECRET_ACCESS_KEY ?? '',
  };
}
