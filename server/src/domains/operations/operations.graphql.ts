import type { EntityRef, Graph } from '../../gql/index.ts';
import type { AccountTypes } from '../accounts/index.ts';
import type { AssetTypes } from '../assets/index.ts';
import type { SocialTypes } from '../social/index.ts';
import { declareInstance } from './instance/instance.graphql.ts';
import { declareServerJobs } from './jobs/server-jobs.graphql.ts';
import { declareServerStatus } from './overview/server-status.graphql.ts';
import { declareServerReports } from './reports/server-reports.graphql.ts';
import { declareServerStorage } from './storage/server-storage.graphql.ts';

interface Types extends Pick<AccountTypes, 'Node' | 'MailTransport' | 'Account'> {
  readonly channels: { readonly Channel: EntityRef };
  readonly assets: Pick<AssetTypes, 'enums'>;
  readonly social: Pick<SocialTypes, 'enums'>;
}

/** Declares this domain's part of the schema. */
export function declareOperations(graph: Graph, { channels, assets, social, ...types }: Types): void {
  const { Channel } = channels;
  declareServerStatus(graph, types);
  declareInstance(graph);
  const { Node, Account } = types;
  declareServerJobs(graph, { Node, Channel, enums: assets.enums });
  declareServerStorage(graph, { Node, Channel });
  declareServerReports(graph, { Node, Channel, Account, enums: social.enums });
}
