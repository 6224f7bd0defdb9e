import { type ArgBuilder, countRows, type EntityRef, type Graph, type RowScope } from '../../gql/index.ts';
import { isVisibleContent } from '../catalog/index.ts';
import { tokenAllows } from '../channels/index.ts';
import { isLiked, LIKED_CONTENTS } from './likes.sql.ts';
import { likeCommand } from './likes.ts';

/** Maximum count of a list that is counted by reading it. */
const MOST_COUNTED = 10_000;

export interface LikeableTypes {
  readonly Likes: EntityRef;
  /** The interface of likeable entities. */
  readonly Likeable: EntityRef;
}

/** Declares the fields of likeable entities. */
export function declareLikeable(graph: Graph): LikeableTypes {
  const Likes = graph.object('ContentLikes', {
    description: 'Likes of an object.',
    fields: (f) => ({
      count: f.value({ type: 'Int', description: 'Number of likes.' }),
      isLiked: f.value({ type: 'Boolean', description: 'Whether the viewer likes it; false without an account.' }),
    }),
  });
  const Likeable = graph.interface('Likeable', {
    description: 'An object that can be liked.',
    fields: (f) => ({
      id: f.field({ type: 'DID', description: 'Id.' }),
      likes: f.field({ type: Likes, description: 'Its likes.' }),
    }),
  });
  return { Likes, Likeable };
}

/** Reads the columns count and isLiked as Likes. */
export function readLikes([count, isLiked]: readonly [number, boolean]): { count: number; isLiked: boolean } {
  return { count, isLiked };
}

/** Declares the likes of contents, and those of the viewer. */
export function declareLikes(
  graph: Graph,
  { Likes, Likeable, Content, Me }: LikeableTypes & { Content: EntityRef; Me: EntityRef },
): void {
  graph.extend(
    Content,
    (f) => ({
      likes: f.column({
        type: Likes,
        description: 'Its likes.',
        sql: (s) => [`counter_value('content:likes', ${s.t}.id)`, isLiked(`${s.t}.id`, s)],
        read: readLikes,
      }),
    }),
    [Likeable],
  );
  declareLikedContents(graph, Me, Content);
  const id = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) });
  graph.mutation('likeContent', {
    access: 'like:manage',
    description: 'Likes a content. Idempotent.',
    type: Content,
    args: id,
    statement: likeCommand('like'),
  });
  graph.mutation('unlikeContent', {
    access: 'like:manage',
    description: 'Removes a like. Idempotent.',
    type: Content,
    args: id,
    statement: likeCommand('unlike'),
  });
}

function declareLikedContents(graph: Graph, Me: EntityRef, Content: EntityRef): void {
  const liked = (child: string, s: RowScope) =>
    `${child}.liked_by = ${s.t}.account_id and ${isVisibleContent(child, s)}${tokenAllows(s, null, child)}`;
  graph.extend(Me, (f) => ({
    likedContents: f.connection({
      type: Content,
      description:
        'Contents that the account likes and may watch, latest ' +
        `like first. totalCount counts at most ${MOST_COUNTED}.`,
      from: LIKED_CONTENTS,
      where: liked,
      order: (child) => [`${child}.liked_at`, `${child}.id`],
      total: (s) => countRows(LIKED_CONTENTS, (row) => liked(row, s), MOST_COUNTED),
    }),
  }));
}
