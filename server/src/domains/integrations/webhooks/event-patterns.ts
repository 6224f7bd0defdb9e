import type { Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { eventTypeName } from '../../../kernel/event-types.ts';
import { t } from '../../../kernel/languages/message.ts';
import { ALL_EVENT_TYPES, EVENT_TYPE_VALUES } from '../events/event-types.ts';

const GROUPS = [...new Set(ALL_EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];

/** What a webhook can subscribe to, in the order in which it is stored: every type, every group, every type alone. */
const PATTERNS: readonly string[] = ['*', ...GROUPS.map((group) => `${group}.*`), ...ALL_EVENT_TYPES];

/** Declares WebhookTopic: the types of events, and everything that begins alike. */
export function declareWebhookTopic(graph: Graph): void {
  const groups = GROUPS.map((group) => [
    topicOf(`${group}.*`),
    { description: `All types that begin with ${group}., including types that are added later.` },
  ]);
  graph.builder.enumType('WebhookTopic', {
    description: 'What a webhook sends: a type of events, or several.',
    values: {
      [topicOf('*')]: { description: 'All types, including types that are added later.' },
      ...Object.fromEntries(groups),
      ...EVENT_TYPE_VALUES,
    },
  });
}

/** The value of WebhookTopic for a stored pattern: PLAYLIST_ALL for `playlist.*`, ALL for `*`. */
export function topicOf(pattern: string): string {
  return eventTypeName(pattern.replace('*', 'all'));
}

/**
 * The stored patterns of a list of values of WebhookTopic, without duplicates.
 * @throws AppError FIELD_REQUIRED with `field` for none.
 */
export function readEventPatterns(topics: readonly string[], field: string): string[] {
  if (topics.length === 0)
    throw new AppError('FIELD_REQUIRED', t`The list of event types is empty.`, {
      field,
      suggestedFix: t`Name at least one type, for example CONTENT_PUBLISHED, or CONTENT_ALL.`,
    });
  return PATTERNS.filter((pattern) => topics.includes(topicOf(pattern)));
}
