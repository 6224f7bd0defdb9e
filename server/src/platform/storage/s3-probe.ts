import {
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { newId } from '../../kernel/ids.ts';
import { createS3Client, type S3Settings } from './s3-client.ts';
import { beginMultipart } from './s3-journal.ts';

/** A call that the server needs, and why it failed; null where it worked. */
export interface ProbedCall {
  readonly call: string;
  readonly error: unknown;
}

/** Does once what the server does with a bucket, on objects of its own, which it deletes. */
export async function probeBucket(settings: S3Settings): Promise<ProbedCall[]> {
  const client = createS3Client(settings);
  const { bucket: Bucket } = settings;
  const [Key, joined] = [`health/${newId()}`, `health/${newId()}`];
  const calls: [call: string, run: () => Promise<unknown>][] = [
    ['s3:PutObject', () => client.send(new PutObjectCommand({ Bucket, Key, Body: 'ok' }))],
    [
      's3:GetObject',
      () => client.send(new GetObjectCommand({ Bucket, Key })).then(({ Body }) => Body?.transformToString()),
    ],
    ['s3:ListBucket', () => client.send(new ListObjectsV2Command({ Bucket, Prefix: 'health/', MaxKeys: 1 }))],
    ['multipart uploads', () => probeMultipart(client, Bucket, joined)],
    ['s3:DeleteObject', () => client.send(new DeleteObjectCommand({ Bucket, Key }))],
    ['s3:DeleteObject of joined parts', () => client.send(new DeleteObjectCommand({ Bucket, Key: joined }))],
  ];
  const probed: ProbedCall[] = [];
  try {
    for (const [call, run] of calls)
      probed.push({
        call,
        error: await run().then(
          () => null,
          (error: unknown) => error,
        ),
      });
  } finally {
    client.destroy();
  }
  return probed;
}

async function probeMultipart(client: S3Client, Bucket: string, Key: string): Promise<void> {
  const UploadId = await beginMultipart(client, Bucket, Key);
  const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'ok' }));
  const MultipartUpload = { Parts: [{ ETag, PartNumber: 1 }] };
  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
}

/** Whether pages of `origin` may store parts in the bucket by themselves; null where the service does not tell. */
export async function allowsDirectUploads(settings: S3Settings, origin: string): Promise<boolean | null> {
  const client = createS3Client(settings);
  try {
    const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket: settings.bucket }));
    return CORSRules.some(
      ({ AllowedMethods = [], AllowedOrigins = [], ExposeHeaders = [] }) =>
        AllowedMethods.includes('PUT') &&
        (AllowedOrigins.includes('*') || AllowedOrigins.includes(origin)) &&
        ExposeHeaders.some((name) => name.toLowerCase() === 'etag'),
    );
  } catch (error) {
    return error instanceof Error && error.name === 'NoSuchCORSConfiguration' ? false : null;
  } finally {
    client.destroy();
  }
}
