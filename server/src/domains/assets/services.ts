import type { SwitchedOff } from '../../kernel/features.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReceivingStore } from '../../platform/storage/receiving-store.ts';
import { type DownloadFile, downloadAddress, mediaAddress, sourceAddress } from './delivery/media-address.ts';
import { type DirectUpload, directUpload } from './uploads/direct-upload.ts';
import type { OpenIngestionTools } from './uploads/open-ingestion.ts';
import { uploadEndpoint } from './uploads/upload-address.ts';

/** Services of the fields and mutations of this domain; `services.assets` of the engine. */
export interface AssetsServices {
  readonly db: Database;
  readonly ingestion: OpenIngestionTools;
  /** Absolute address of a media object; signed unless it is public. */
  mediaAddress(objectKey: string, open: boolean, nowMs: number): string;
  /** Signed address of the uploaded file, for its owner. */
  sourceAddress(videoAssetId: string, filename: string, nowMs: number): string;
  readonly switchedOff: SwitchedOff;
  /** Address of a download of a video; signed unless it is public. */
  downloadAddress(videoAssetId: string, file: DownloadFile, open: boolean, nowMs: number): string;
  /** The endpoint of an upload. */
  uploadEndpoint(ingestionId: string): string;
  /** How the file of an upload is sent straight to the object storage; null where it takes none. */
  directUpload(ingestionId: string, sizeBytes: number | null): DirectUpload | null;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly assets: AssetsServices;
  }
}

/** The services of this domain on a platform. */
export function assetsServices(
  {
    db,
    config,
    clock,
    secrets,
    space,
    receiving,
  }: Pick<Platform, 'db' | 'config' | 'clock' | 'secrets' | 'space'> & {
    readonly receiving: ReceivingStore;
  },
  switchedOff: SwitchedOff,
): AssetsServices {
  const baseUrl = config.BASE_URL;
  const endpointOf = (id: string) => uploadEndpoint(baseUrl, secrets, id);
  return {
    db,
    ingestion: { secrets, clock, baseUrl, space },
    mediaAddress: (objectKey, open, nowMs) => mediaAddress({ baseUrl, secrets, nowMs }, objectKey, open),
    sourceAddress: (id, filename, nowMs) => sourceAddress({ baseUrl, secrets, nowMs }, id, filename),
    switchedOff,
    downloadAddress: (id, file, open, nowMs) => downloadAddress({ baseUrl, secrets, nowMs }, id, file, open),
    uploadEndpoint: endpointOf,
    directUpload: (id, sizeBytes) => directUpload(receiving, endpointOf(id), sizeBytes),
  };
}
