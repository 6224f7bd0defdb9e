import { UploadState as UploadStateOf } from '../../../gql/generated/operations.gen.ts';
import { here } from '../../../lib/address.ts';
import { ApiError, api } from '../../../lib/api.ts';

const POLL_MS = 500;
const PATIENCE_MS = 60_000;

/** What the file dialog offers for pictures. */
export const IMAGE_TYPES = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** An opened upload, as the mutations that make one answer it. */
interface Opened {
  readonly id: string;
  readonly endpoint: string | null;
}

/** Sends a picture and waits until it can be shown. Throws ApiError when it is refused, at the door or by what it turns out to be. */
export async function sendImage(opened: Opened, file: File): Promise<void> {
  const { id, endpoint } = opened;
  if (!endpoint) throw refused('The server did not accept the upload.');
  const { Upload } = await import('tus-js-client');
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      uploadUrl: here(endpoint),
      retryDelays: [0, 1000, 3000],
      storeFingerprintForResuming: false,
      onSuccess: () => resolve(),
      onError: () => reject(refused('The image could not be uploaded.')),
    });
    upload.start();
  });
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const { ingestion } = (await api(UploadStateOf, { id })).me;
    if (ingestion?.state === 'FINISHED') return;
    if (ingestion?.state === 'FAILED') throw refused(ingestion.error ?? 'The image could not be read.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw refused('The image is taking longer than expected to process.');
}

function refused(message: string): ApiError {
  return new ApiError({ message, extensions: { code: 'UPLOAD_FAILED', suggestedFix: 'Try again, or use another image.' } });
}
