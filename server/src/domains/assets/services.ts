import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type DownloadFile, downloadAddress, mediaAddress, sourceAddress } from './delivery/media-address.ts';
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
  /** Address of a download of a video; signed unless it is public. */
  downloadAddress(videoAssetId: string, file: DownloadFile, open: boolean, nowMs: number): string;
  /** The endpoint of an upload. */
  uploadEndpoint(ingestionId: string): string;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly assets: AssetsServices;
  }
}

/** The services of this domain on a platform. */
export function assetsServices({
  db,
  config,
  clock,
  secrets,
  space,
}: Pick<Platform, 'db' | 'config' | 'clock' | 'secrets' | 'space'>): AssetsServices {
  const baseUrl = config.BASE_URL;
  return {
    db,
    ingestion: { secrets, clock, baseUrl, space },
    mediaAddress: (objectKey, open, nowMs) => mediaAddress({ baseUrl, secrets, nowMs }, objectKey, open),
    sourceAddress: (id, filename, nowMs) => sourceAddress({ baseUrl, secrets, nowMs }, id, filename),
    downloadAddress: (id, file, open, nowMs) => downloadAddress({ baseUrl, secrets, nowMs }, id, file, open),
    uploadEndpoint: (id) => uploadEndpoint(baseUrl, secrets, id),
  };
}
