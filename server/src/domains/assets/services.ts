import type { SwitchedOff } from '../../kernel/features.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type DownloadFile,
  downloadAddress,
  type MediaPermission,
  permittedAddress,
  sourceAddress,
} from './media-address.ts';

/** Services of the fields and mutations of this domain; `services.assets` of the engine. */
export interface AssetsServices {
  readonly db: Database;
  /** Absolute address of a media object. */
  mediaAddress(objectKey: string, permission: MediaPermission, nowMs: number): string;
  /** Signed address of the uploaded file, for its owner. */
  sourceAddress(videoAssetId: string, filename: string, nowMs: number): string;
  readonly switchedOff: SwitchedOff;
  /** Address of a download of a video. */
  downloadAddress(videoAssetId: string, file: DownloadFile, permission: MediaPermission, nowMs: number): string;
}

declare module '../../gql/request-context.ts' {
  interface Services {
    readonly assets: AssetsServices;
  }
}

/** The services of this domain on a platform. */
export function assetsServices(
  { db, config, secrets }: Pick<Platform, 'db' | 'config' | 'secrets'>,
  switchedOff: SwitchedOff,
): AssetsServices {
  const baseUrl = config.BASE_URL;
  return {
    db,
    mediaAddress: (objectKey, permission, nowMs) =>
      permittedAddress({ baseUrl, secrets, nowMs }, objectKey, permission),
    sourceAddress: (id, filename, nowMs) => sourceAddress({ baseUrl, secrets, nowMs }, id, filename),
    switchedOff,
    downloadAddress: (id, file, permission, nowMs) =>
      downloadAddress({ baseUrl, secrets, nowMs }, id, file, permission),
  };
}
