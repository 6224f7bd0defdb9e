import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AccountTypes } from '../accounts/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import { CHANNEL_CHANGE, type ChannelTypes, requireAccount } from '../channels/index.ts';
import type { TranscodeTypes } from '../transcode/index.ts';
import { createChannelAsset } from './uploads/create-channel-asset.ts';
import { type DirectUploadRef, declareDirectUpload } from './uploads/direct-upload.graphql.ts';
import { declareIngestion } from './uploads/ingestion.graphql.ts';

/** The types that higher domains use. */
export interface IngestTypes {
  readonly IngestionSession: EntityRef;
  readonly DirectUpload: DirectUploadRef;
}

/** The types of the domains that files go through, up to this one. */
export type MediaTypes = AssetTypes & TranscodeTypes & IngestTypes;

/** Declares uploads. */
export function declareIngest(
  graph: Graph,
  { Me, channels, assets }: Pick<AccountTypes, 'Me'> & { channels: ChannelTypes; assets: AssetTypes },
): IngestTypes {
  const DirectUpload = declareDirectUpload(graph);
  const IngestionSession = declareIngestion(graph, { Node: channels.Node, Me, enums: assets.enums, DirectUpload });
  declareCreateChannelAsset(graph, IngestionSession, assets.ImageInput);
  return { IngestionSession, DirectUpload };
}

function declareCreateChannelAsset(
  graph: Graph,
  IngestionSession: EntityRef,
  ImageInput: AssetTypes['ImageInput'],
): void {
  const CreateChannelAssetInput = graph.builder.inputType('CreateChannelAssetInput', {
    description: 'An image to upload for a channel.',
    fields: (t) => ({
      filename: t.string({ required: true, description: 'Name of the file, without folders.' }),
      size: t.field({ type: 'BigInt', required: true, description: 'Exact size in bytes, at most 25 MiB.' }),
      image: t.field({ type: ImageInput, required: true, description: 'Purpose of the image.' }),
    }),
  });
  graph.mutation('createChannelAsset', {
    access: 'channel:update',
    policies: [CHANNEL_CHANGE],
    description: 'Creates the upload of an image for a channel you manage; upload the file to its endpoint.',
    payload: (f) => ({ ingestion: f.read({ type: IngestionSession, description: 'The upload.' }) }),
    args: (t) => ({
      id: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
      input: t.field({ type: CreateChannelAssetInput, required: true, description: 'The image.' }),
    }),
    command: async (context, { id, input }) => {
      const channel = context.parseDid(id, ['channel'], 'id');
      const { db } = context.services.assets;
      const { ingestion } = context.services.ingest;
      return (await createChannelAsset({ db, ...ingestion }, requireAccount(context), channel.id, input)).id;
    },
  });
}
