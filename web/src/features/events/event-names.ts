import { EVENT_TYPES } from '../../gql/generated/event-types.gen.ts';
import type { EventType, WebhookTopic } from '../../gql/generated/types.gen.ts';

const TYPES = [...Object.keys(EVENT_TYPES), 'webhook.test'];
const WILDCARDS = ['*', ...new Set(TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))];

/** What GraphQL calls a type of events: CONTENT_PUBLISHED for content.published. */
export function eventTypeOf(type: string): EventType {
  return nameOf(type) as EventType; // one of EVENT_TYPES
}

/** What GraphQL calls a type of events or a wildcard: PLAYLIST_ALL for `playlist.*`. */
export function topicOf(pattern: string): WebhookTopic {
  return nameOf(pattern.replace('*', 'all')) as WebhookTopic; // one that the server sent, or of EVENT_TYPES
}

/** The type or wildcard that GraphQL calls so, as bodies of webhooks name it; the name itself if it is unknown. */
export function patternOf(name: string): string {
  return [...WILDCARDS, ...TYPES].find((pattern) => topicOf(pattern) === name) ?? name;
}

function nameOf(text: string): string {
  return text.replace('.', '_').toUpperCase();
}
