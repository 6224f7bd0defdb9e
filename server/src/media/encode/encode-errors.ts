import { RunError } from '@reelgraph/sandbox';
import { AppError, type AppErrorOptions, StorageFullError } from '../../kernel/errors.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { sandboxRefusal } from '../sandbox-texts.ts';
import { PackageError } from './encoded.ts';

/**
 * What was decoded or encoded is not as it was planned: the file may be damaged or differ from its headers, or the
 * fault is ours. Encoding it once more, decoded whole and measured before, tells.
 */
export class UnexpectedMediaError extends AppError {
  constructor(message: Text, options: AppErrorOptions = {}) {
    super('TRANSCODE_FAILED', message, options);
    this.name = 'UnexpectedMediaError';
  }
}

/**
 * What an error of the sandbox or the encoder means: AppError TRANSCODE_FAILED when the file is the cause,
 * SERVICE_UNAVAILABLE when this machine is; others are returned as they are.
 */
export function explainEncodeError(error: unknown): unknown {
  if (error instanceof PackageError)
    return new UnexpectedMediaError(t`The file could not be converted to a playable stream.`, { cause: error });
  if (!(error instanceof RunError)) return error;
  switch (error.reason) {
    case 'exit':
    case 'bad-output':
      return new UnexpectedMediaError(t`The file is damaged or uses a feature that cannot be decoded.`, {
        cause: error,
      });
    case 'timeout':
    case 'cpu-limit':
      return new AppError('TRANSCODE_FAILED', t`Converting the file took longer than is allowed for its length.`, {
        cause: error,
      });
    case 'output-limit':
      return streamsTooLarge(error);
    case 'memory':
      return new AppError('TRANSCODE_FAILED', t`Converting the file needs more memory than is allowed.`, {
        cause: error,
      });
    case 'disk-full':
      return new StorageFullError(t`There is not enough disk space to convert the file.`, { cause: error });
    case 'busy':
      return new AppError('SERVICE_UNAVAILABLE', t`This server has no room to convert the file at the moment.`, {
        cause: error,
        retryAfterSeconds: 60,
      });
    case 'missing-binary':
      return new AppError('SERVICE_UNAVAILABLE', t`The media tools of this server are not available.`, {
        cause: error,
        retryAfterSeconds: 300,
      });
    case 'sandbox':
      return sandboxRefusal();
    default:
      return error;
  }
}

/** The error of a job whose streams exceed the bytes allowed for its file. */
export function streamsTooLarge(cause?: unknown): AppError {
  return new AppError(
    'TRANSCODE_FAILED',
    t`The streams of this file would take more space than is allowed for a file of its size.`,
    {
      suggestedFix: t`Export the video at a lower resolution or frame rate, or cut it into parts, and upload that.`,
      cause,
    },
  );
}
