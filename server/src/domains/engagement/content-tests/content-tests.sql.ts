import type { RowScope } from '../../../gql/index.ts';
import { mayInChannel, tokenAllows } from '../../channels/index.ts';

/** SQL: whether an image (alias) is one that cards show. */
function isCardImage(image: string): string {
  return `${image}.purpose in ('THUMBNAIL', 'POSTER')`;
}

/** SQL: the images of a content (alias) in ascending order of precedence on cards; as in `card_image`. */
export function cardImageOrder(image: string): string[] {
  return [`(${image}.purpose = 'THUMBNAIL')`, `${image}.created_at`, `${image}.id`];
}

/** SQL: the id of the image that cards of a content (alias) show; null for none. */
export function cardImageOf(content: string): string {
  return `card_image(${content}.id)`;
}

/**
 * SQL: a column of the variant that the viewer gets in the running test of the content `s.t`. Null without a test, for
 * members of the channel, and for viewers who cannot be counted: robots and those who opt out of tracking.
 *
 * Few contents have a test. The function is called for those only; its subqueries in every statement that reads a card
 * would cost more than all else that a card reads, without ever being run.
 */
function shownVariant(s: RowScope, column: 'id' | 'title' | 'image_id'): string {
  const browser = s.param((env) => env.services.engagement.cardViewers.of(env.client, env.nowMs), 'uuid');
  const optsOut = s.param((env) => env.client.doNotTrack, 'boolean');
  const viewer = `${s.viewer}.account_id, ${browser}, ${optsOut}, true${tokenAllows(s, 'content:read', s.t)}`;
  const shown = `(shown_variant(${s.t}.id, ${s.t}.channel_id, ${viewer})).${column}`;
  return `case when ${s.t}.has_running_test then ${shown} end`;
}

/** SQL: the title that the viewer is to see of the content `s.t`. */
export function titleForViewer(s: RowScope): string {
  return `coalesce(${shownVariant(s, 'title')}, ${s.t}.title)`;
}

/**
 * SQL: whether an image (alias) may be the one that the viewer is to see of the content `s.t`; of several, the first by
 * {@link cardImageOrder} is. Without a test this is one scan of the few images of the content.
 */
export function isImageForViewer(image: string, s: RowScope): string {
  const tested = `${image}.id = coalesce(${shownVariant(s, 'image_id')}, ${cardImageOf(s.t)})`;
  return (
    `${image}.content_id = ${s.t}.id and ` +
    `case when ${s.t}.has_running_test then ${tested} else ${isCardImage(image)} end`
  );
}

/** SQL: the id of the variant that the viewer gets of the content `s.t`; null for none. */
export function variantForViewer(s: RowScope): string {
  return shownVariant(s, 'id');
}

/** SQL: whether the viewer may see the tests of a content, given by its id. */
export function mayReadTests(s: Pick<RowScope, 'viewer' | 'credential'>, contentId: string): string {
  return `(select ${mayInChannel(s, 'k.channel_id', 'analytics:read')} from contents k where k.id = ${contentId})`;
}

/** SQL: the id of the content of a test, given by its id. */
export function contentOfTest(testId: string): string {
  return `(select y.content_id from content_tests y where y.id = ${testId})`;
}

/** SQL: clicks per impression of a variant (alias); null without impressions. */
export function rateOfVariant(variant: string): string {
  return `${variant}.clicks / nullif(${variant}.impressions, 0)::float8`;
}

/** SQL: the viewers who clicked each variant of a test, given by its id, in the order of the variants. */
export function viewersOfTest(testId: string): string {
  return (
    `array(select w.viewers::integer from content_test_variants w where w.test_id = ${testId} ` + 'order by w.position)'
  );
}
