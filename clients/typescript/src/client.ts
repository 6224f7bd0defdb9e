import { type CoreClient, coreOf } from './core.ts';
import { type DID, OPERATIONS, type Operations, type WaitForProcessingResult } from './generated/operations.gen.ts';
import type { ClientOptions } from './request/options.ts';
import { Requester } from './request/requester.ts';
import { methodsOf } from './run-methods.ts';
import { type WaitOptions, waitUntilProcessed } from './uploads/processing.ts';
import type { UploadSource } from './uploads/source.ts';
import { type UploadOptions, type UploadResult, upload } from './uploads/upload.ts';

/** A client of one platform: one method for each root field of the schema, and these. */
export interface Client extends Operations, CoreClient {
  /** Creates a video, uploads its file and waits until it is playable. */
  upload(file: Blob | UploadSource, options: UploadOptions): Promise<UploadResult>;
  /** Waits until a content's video is playable, and published if that was requested. */
  waitUntilProcessed(contentId: DID, options?: WaitOptions): Promise<WaitForProcessingResult>;
}

/** Creates a client. It opens no connection until it is used. */
export function createClient(options: ClientOptions): Client {
  const requester = new Requester(options);
  const client: Client = coreOf(requester, {
    ...(methodsOf(requester, OPERATIONS) as unknown as Operations), // generated from the same table
    upload: (file: Blob | UploadSource, sending: UploadOptions) => upload(client, file, sending),
    waitUntilProcessed: (contentId: DID, waiting?: WaitOptions) => waitUntilProcessed(client, contentId, waiting),
  });
  return client;
}
