import type { Viewer } from '../../../gql/index.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Database } from '../../../platform/db/database.ts';
import { IMAGE_PRESENTATIONS, type ImagePresentation } from '../../assets/index.ts';
import { authorizeChannel } from '../../channels/index.ts';
import { type OpenedIngestion, type OpenIngestionTools, openIngestion } from './open-ingestion.ts';

export interface ChannelAssetInput {
  readonly filename: string;
  readonly size: number;
  readonly image: { readonly hint: ImagePresentation; readonly alt?: Maybe<string> };
}

/**
 * Opens the upload of an image for the account's channel. Throws RESOURCE_NOT_FOUND, UNAUTHORIZED, and the errors of
 * `openIngestion`.
 */
export function createChannelAsset(
  tools: OpenIngestionTools & { readonly db: Database },
  uploader: Pick<Viewer, 'scope'>,
  channelId: string,
  { filename, size, image }: ChannelAssetInput,
): Promise<OpenedIngestion> {
  return tools.db.transaction(async (tx) => {
    await authorizeChannel(tx, { channelId, viewer: uploader.scope, permission: 'channel:update', field: 'id' });
    const media = {
      kind: 'IMAGE' as const,
      hint: IMAGE_PRESENTATIONS[image.hint],
      ...(image.alt == null ? {} : { alt: image.alt }),
    };
    return openIngestion(tools, tx, { uploader, target: { channelId }, media, filename, sizeBytes: size });
  });
}
