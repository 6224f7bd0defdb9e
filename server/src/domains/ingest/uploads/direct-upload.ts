import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';

/** How a file is sent straight to the object storage. */
export interface DirectUpload {
  readonly partsEndpoint: string;
  readonly completeEndpoint: string;
  readonly partSizeBytes: number;
  readonly partCount: number;
}

/** Last parts of the addresses below the endpoint of an upload. */
export const DIRECT_PATHS = { parts: 'parts', complete: 'complete' } as const;

/** The direct upload of a file to `endpoint`; null where the object storage takes none, and for an unknown size. */
export function directUpload(
  { direct }: Pick<ReceivingStore, 'direct'>,
  endpoint: string,
  sizeBytes: number | null,
): DirectUpload | null {
  if (!direct || sizeBytes === null) return null;
  const partSizeBytes = direct.partBytes(sizeBytes);
  return {
    partsEndpoint: `${endpoint}/${DIRECT_PATHS.parts}`,
    completeEndpoint: `${endpoint}/${DIRECT_PATHS.complete}`,
    partSizeBytes,
    partCount: Math.ceil(sizeBytes / partSizeBytes),
  };
}
