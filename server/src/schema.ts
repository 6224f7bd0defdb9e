import type { GraphQLSchema } from 'graphql';
import { declareAccounts } from './domains/accounts/index.ts';
import { declareAi } from './domains/ai/index.ts';
import { declareAssets } from './domains/assets/index.ts';
import { declareCatalog } from './domains/catalog/index.ts';
import { declareChannels } from './domains/channels/index.ts';
import { declareSigningKeys } from './domains/delivery/index.ts';
import { declareDiscovery } from './domains/discovery/index.ts';
import { declareEngagement } from './domains/engagement/index.ts';
import { declareEnhance } from './domains/enhance/index.ts';
import { declareIngest } from './domains/ingest/index.ts';
import { declareIntegrations } from './domains/integrations/index.ts';
import { declareLive } from './domains/live/index.ts';
import { declareOperations } from './domains/operations/index.ts';
import { declarePlaylists } from './domains/playlists/index.ts';
import { declarePublishing } from './domains/publishing/index.ts';
import { declareSocial } from './domains/social/index.ts';
import { declareTranscode } from './domains/transcode/index.ts';
import { declareTextSizes, Graph } from './gql/index.ts';
import { TEXT_SIZES } from './gql/limits/text-arguments.ts';

let built: GraphQLSchema | undefined;

/** The public schema, which is built once. */
export function platformSchema(): GraphQLSchema {
  built ??= buildSchema();
  return built;
}

/** Each domain declares its types and adds fields to those of lower domains. */
function buildSchema(): GraphQLSchema {
  const graph = new Graph();
  const accounts = declareAccounts(graph);
  const channels = declareChannels(graph, accounts);
  const files = declareAssets(graph, { ...accounts, channels });
  const transcode = declareTranscode(graph, { channels, assets: files });
  const ingest = declareIngest(graph, { Me: accounts.Me, channels, assets: files });
  declareSigningKeys(graph, channels);
  declareEnhance(graph, files);
  const assets = { ...files, ...transcode, ...ingest };
  const catalog = declareCatalog(graph, { ...accounts, channels, assets });
  const playlists = declarePlaylists(graph, { ...accounts, channels, assets, catalog });
  const social = declareSocial(graph, { ...accounts, channels, catalog });
  const { Stream, TimeRange } = catalog;
  const live = declareLive(graph, { ...channels, ...social, Stream, TimeRange, Credits: files.Credits });
  declareEngagement(graph, { channels, catalog, assets, playlists, live });
  declareDiscovery(graph, { channels, catalog, playlists, live });
  declareIntegrations(graph, { Me: accounts.Me, ...channels, ...assets, ...catalog, ...social, ...live });
  declarePublishing(graph, { ...accounts, catalog, assets });
  declareAi(graph, { catalog });
  declareOperations(graph, { ...accounts, channels, assets, social });
  const schema = graph.schema();
  declareTextSizes(schema, TEXT_SIZES);
  return schema;
}
