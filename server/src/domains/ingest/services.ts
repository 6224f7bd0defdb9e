import type { Platform } from '../../platform/platform.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import { type DirectUpload, directUpload } from './uploads/direct-upload.ts';
import type { OpenIngestionTools } from './uploads/open-ingestion.ts';
import { uploadEndpoint } from './uploads/upload-address.ts';

/** Services of the fields and mutations of this domain; `services.ingest` of the engine. */
export interface IngestServices {
  readonly ingestion: OpenIngestionTools;
  /** The endpoint of an upload. */
  uploadEndpoint(ingestionId: string): string;
  /** How the file of an upload is sent straight to the object storage; null where it takes none. */
  directUpload(ingestionId: string, sizeBytes: number | null): DirectUpload | null;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly ingest: IngestServices;
  }
}

/** The services of this domain on a platform. */
export function ingestServices({
  config,
  clock,
  secrets,
  space,
  receiving,
}: Pick<Platform, 'config' | 'clock' | 'secrets' | 'space'> & { readonly receiving: ReceivingStore }): IngestServices {
  const baseUrl = config.BASE_URL;
  const endpointOf = (id: string) => uploadEndpoint(baseUrl, secrets, id);
  return {
    ingestion: { secrets, clock, baseUrl, space },
    uploadEndpoint: endpointOf,
    directUpload: (id, sizeBytes) => directUpload(receiving, endpointOf(id), sizeBytes),
  };
}
