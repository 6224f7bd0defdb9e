import type { EntityRef, Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import type { ChannelTypes } from '../channels/index.ts';
import { declareCommentMutations } from './comments/comment-mutations.graphql.ts';
import { declareCommentQueries } from './comments/comment-queries.graphql.ts';
import { declareComment } from './comments/comment-types.graphql.ts';
import { declareSocialDashboard } from './dashboard.graphql.ts';
import { declareDeprecatedMutations } from './deprecated.graphql.ts';
import { declareFollows } from './follows.graphql.ts';
import { declareLikeable, declareLikes } from './likes.graphql.ts';
import { declareModeration } from './moderation/moderation.graphql.ts';
import { declareNotifications } from './notifications/notifications.graphql.ts';
import { declarePerson } from './person.graphql.ts';
import { declareSocialEnums, type SocialEnums } from './social-enums.graphql.ts';

export interface SocialTypes {
  readonly Comment: EntityRef;
  readonly Report: EntityRef;
  /** An account, as others see it. */
  readonly Person: EntityRef;
  readonly enums: SocialEnums;
}

/** Declares likes, follows, comments and their moderation. */
export function declareSocial(
  graph: Graph,
  { Me, channels, catalog }: { Me: EntityRef; channels: ChannelTypes; catalog: CatalogTypes },
): SocialTypes {
  const { Node, Channel, ChannelInvitation } = channels;
  const { Content } = catalog;
  const enums = declareSocialEnums(graph);
  const likeable = declareLikeable(graph);
  const Person = declarePerson(graph, Channel);
  const Comment = declareComment(graph, { ...likeable, Node, Person, Content, enums });
  declareLikes(graph, { ...likeable, Content, Me });
  declareFollows(graph, { Channel, Me });
  declareSocialDashboard(graph, catalog.ChannelDashboard);
  declareCommentQueries(graph, { Comment, Me, Content, enums });
  declareCommentMutations(graph, Comment, Content);
  const { Report } = declareModeration(graph, { Node, Channel, Content, Comment, Person, enums });
  declareNotifications(graph, { Node, Me, Content, Comment, ChannelInvitation });
  declareDeprecatedMutations(graph, { Comment, Content, Channel });
  return { Comment, Report, Person, enums };
}
