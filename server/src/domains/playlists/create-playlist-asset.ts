import type { CommandContext } from '../../gql/index.ts';
import type { Maybe } from '../../kernel/maybe.ts';
import { IMAGE_PRESENTATIONS, type ImagePresentation } from '../assets/index.ts';
import { requireAccount } from '../channels/index.ts';
import { openIngestion, requireSize } from '../ingest/index.ts';
import { changingPlaylist } from './change-items.ts';

export interface PlaylistAssetInput {
  readonly filename: string;
  readonly size?: Maybe<number>;
  readonly image?: Maybe<{ readonly hint: ImagePresentation; readonly alt?: Maybe<string> }>;
}

/**
 * Opens the upload of a cover for a playlist; returns the id of the upload. Throws RESOURCE_NOT_FOUND, UNAUTHORIZED,
 * and what `openIngestion` throws.
 */
export function createPlaylistAsset(
  context: CommandContext,
  playlistId: string,
  { filename, size, image }: PlaylistAssetInput,
): Promise<string> {
  const uploader = requireAccount(context);
  const { hint, alt } = image ?? { hint: 'THUMBNAIL' };
  const media = { kind: 'IMAGE' as const, hint: IMAGE_PRESENTATIONS[hint], ...(alt == null ? {} : { alt }) };
  const sizeBytes = requireSize(size);
  return changingPlaylist(context, playlistId, 'id', async (tx) => {
    const request = { uploader, target: { playlistId }, media, filename, sizeBytes };
    return (await openIngestion(context.services.ingest.ingestion, tx, request)).id;
  });
}
