import type { DetailedError } from 'tus-js-client';
import { UploadState as UploadStateOf } from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { sameOriginUrl } from '../../../lib/url.ts';

const POLL_MS = 500;
const TIMEOUT_MS = 60_000;

/** Accepted image types. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif';

/** An upload as returned by the mutations that create one. */
interface OpenUpload {
  readonly id: string;
  readonly endpoint: string | null;
}

/** Uploads an image and waits until it is processed. Throws ApiError when it is rejected. */
export async function uploadImage(opened: OpenUpload, file: File): Promise<void> {
  const { id, endpoint } = opened;
  if (!endpoint) throw uploadError(t`The server did not accept the upload.`);
  const { Upload } = await import('tus-js-client');
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl: sameOriginUrl(endpoint),
      retryDelays: [0, 1000, 3000],
      storeFingerprintForResuming: false,
      onSuccess: () => resolve(),
      onError: (error) => reject(refusal(error) ?? uploadError(t`The image could not be uploaded.`)),
    });
    upload.start();
  });
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { ingestion } = (await api(UploadStateOf, { id })).me;
    if (ingestion?.state === 'FINISHED') return;
    if (ingestion?.state === 'FAILED') throw uploadError(ingestion.error ?? t`The image could not be read.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw uploadError(t`The image is taking longer than expected to process.`);
}

/** Why the server refused it: what is not an image, or is damaged, fails with its last byte. */
function refusal(error: Error | DetailedError): ApiError | null {
  try {
    const { errors } = JSON.parse(('originalResponse' in error && error.originalResponse?.getBody()) || '');
    return new ApiError({ message: errors[0].message, extensions: errors[0] });
  } catch {
    return null;
  }
}

function uploadError(message: string): ApiError {
  return new ApiError({
    message,
    extensions: { code: 'UPLOAD_FAILED', suggestedFix: t`Try again, or use another image.` },
  });
}
