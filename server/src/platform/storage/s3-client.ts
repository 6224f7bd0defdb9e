import { S3Client } from '@aws-sdk/client-s3';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';

/** Location and credentials of a bucket. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** Address of a service other than AWS; the bucket is then part of the path. */
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A client that also works with services without virtual hosts and newer checksum headers. */
export function createS3Client(settings: S3Settings): S3Client {
  return new S3Client({
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    ...(settings.endpoint === undefined ? {} : { endpoint: settings.endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 4,
  });
}

/** Whether the error means a missing object or multipart upload. */
export function isS3Missing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload'].includes(error.name);
}

/**
 * The error for a failed call: errors of the service or the network are SERVICE_UNAVAILABLE; bugs are thrown unchanged.
 */
export function s3Error(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const status =
    '$metadata' in error && error.$metadata instanceof Object && 'httpStatusCode' in error.$metadata
      ? error.$metadata.httpStatusCode
      : undefined;
  const passing =
    typeof status === 'number' ? status >= 500 || status === 429 : 'code' in error || error.name === 'TimeoutError';
  if (!passing) return error;
  return new AppError('SERVICE_UNAVAILABLE', t`The object storage is not reachable at the moment.`, {
    retryAfterSeconds: 10,
    cause: error,
  });
}
