import { mkdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import { DiskStore } from './disk-store.ts';
import { isKey } from './object-keys.ts';
import type { ObjectStore } from './object-store.ts';
import { DiskSpace } from './storage-space.ts';

/** A place in an object store other than that of the platform. */
export interface StoreAddress {
  readonly store: ObjectStore;
  /** Of all keys there: empty, or with a `/` at its end. */
  readonly prefix: string;
}

/**
 * The store at `address`: a folder, or `s3://bucket/prefix` at the S3 service of the settings (S3_ENDPOINT, S3_REGION
 * and keys). A folder on the disk of DATA_DIR leaves the reserve free. Throws a plain Error for the store of the
 * platform itself.
 */
export async function openStoreAt(address: string, config: Config): Promise<StoreAddress> {
  if (address.startsWith('s3://')) return openBucketAt(address, config);
  const root = resolve(address);
  if (`${root}${sep}`.startsWith(`${config.DATA_DIR}${sep}`))
    throw new Error(`${root} is inside of DATA_DIR and would be lost with it: name a folder outside of it.`);
  await mkdir(root, { recursive: true, mode: 0o700 });
  await mkdir(config.DATA_DIR, { recursive: true });
  const [own, data] = await Promise.all([stat(root), stat(config.DATA_DIR)]);
  const space = own.dev === data.dev ? new DiskSpace(root, config.STORAGE_RESERVE) : null;
  return { store: new DiskStore(root, space), prefix: '' };
}

async function openBucketAt(address: string, config: Config): Promise<StoreAddress> {
  const [bucket = '', ...names] = address
    .slice('s3://'.length)
    .split('/')
    .filter((name) => name !== '');
  const prefix = names.map((name) => `${name}/`).join('');
  if (bucket === '' || (prefix !== '' && !isKey(prefix.slice(0, -1))))
    throw new Error(`${address} is no s3://bucket/prefix; names in a prefix have letters, digits, dots, - and _.`);
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error(`${address} needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both.`);
  if (config.STORAGE === 's3' && bucket === config.S3_BUCKET)
    throw new Error(`${bucket} is the bucket of the platform itself: name another bucket.`);
  const [{ createS3Client }, { S3Store }] = await Promise.all([import('./s3-client.ts'), import('./s3-store.ts')]);
  const { S3_REGION: region, S3_ENDPOINT: endpoint } = config;
  const client = createS3Client({ bucket, region, endpoint, accessKeyId, secretAccessKey });
  return { store: new S3Store(client, bucket, join(config.DATA_DIR, 'tmp', 'objects')), prefix };
}
