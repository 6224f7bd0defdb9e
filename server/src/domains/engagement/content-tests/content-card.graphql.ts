import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { cardImageOrder, isImageForViewer, titleForViewer, variantForViewer } from './content-tests.sql.ts';

/** Declares the card of a content. */
export function declareContentCard(graph: Graph, { Content }: CatalogTypes, ImageAsset: EntityRef): void {
  const ContentCard = graph.part('ContentCard', {
    description:
      'What lists show of a content. While a test of it runs, viewers get one of its variants, always the same.',
    fields: (f) => ({
      title: f.column({
        type: 'String',
        description: 'The title.',
        sql: titleForViewer,
      }),
      image: f.one({
        type: ImageAsset,
        nullable: true,
        description: 'The image: the THUMBNAIL, or else the POSTER; null without either.',
        on: isImageForViewer,
        first: { by: cardImageOrder },
        owner: 'content',
      }),
      variant: f.column({
        type: 'DID',
        nullable: true,
        description:
          'The variant of the running test that this is, to be sent with the impression ' +
          '(EngagementEventInput.variant). ' +
          'Null without a test, for members of the channel, for robots and for viewers who opt out of tracking.',
        sql: variantForViewer,
        read: ([id]: [string | null], env) => id && env.did('contentTestVariant', id),
      }),
    }),
  });
  graph.extend(Content, (f) => ({
    card: f.embed({ type: ContentCard, description: 'What lists show of it to this viewer.' }),
  }));
}
