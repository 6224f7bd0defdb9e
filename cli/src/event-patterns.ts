import { Option } from '@commander-js/extra-typings';
import type { EventType, WebhookTopic } from '../../clients/typescript/src/index.ts';
import { CliError } from './errors.ts';
import { EVENT_TYPES } from './event-types.gen.ts';
import { collect } from './options.ts';
import { distance, either, nearest } from './suggest.ts';

/** `--event`, which may be repeated. */
export function eventOption(note = 'may be repeated') {
  const about = `Type of events, or a wildcard such as 'playlist.*' or '*' (${note})`;
  return new Option('-e, --event <EVENT>', about).argParser<readonly string[] | undefined>(collect);
}

/** What GraphQL calls a type of events: CONTENT_PUBLISHED for content.published. The platform refuses what it lacks. */
export function eventTypeOf(type: string): EventType {
  return nameOf(type) as EventType;
}

/** What GraphQL calls a type of events or a wildcard: PLAYLIST_ALL for `playlist.*`. */
export function topicOf(pattern: string): WebhookTopic {
  return nameOf(pattern.replace('*', 'all')) as WebhookTopic;
}

/** The type or wildcard that GraphQL calls so; the name itself if a newer platform has it. */
export function patternOf(name: string): string {
  return ['*', ...groupsOf(EVENT_TYPES), ...EVENT_TYPES, 'webhook.test'].find((each) => topicOf(each) === name) ?? name;
}

/** Whether a type is among those that are named or matched by a wildcard. */
export function matchesEvent(patterns: readonly string[], type: string): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/** Throws CliError for a pattern that matches no type of events. */
export function requireEvents(patterns: readonly string[]): void {
  const unknown = patterns.find((pattern) => !isKnown(pattern));
  if (unknown === undefined) return;
  const guesses = guessesFor(unknown);
  const fix = guesses.length > 0 ? `Did you mean ${either(guesses)}?` : `Choose from: ${EVENT_TYPES.join(', ')}.`;
  throw new CliError(`No type of events matches ${unknown}.`, fix);
}

/** Throws CliError for a mistyped pattern. A newer platform may know others. */
export function refuseMistyped(patterns: readonly string[] = []): void {
  requireEvents(
    patterns.filter(
      (pattern) => !isKnown(pattern) && guessesFor(pattern).some((guess) => distance(pattern, guess) <= CLOSE),
    ),
  );
}

/** Letters that a mistyped name differs by. */
const CLOSE = 2;

function isKnown(pattern: string): boolean {
  return EVENT_TYPES.some((type) => matchesEvent([pattern], type));
}

function guessesFor(pattern: string): string[] {
  return nearest(pattern, pattern.endsWith('.*') ? groupsOf(EVENT_TYPES) : EVENT_TYPES);
}

function groupsOf(types: readonly string[]): string[] {
  return [...new Set(types.map((type) => `${type.split('.')[0]}.*`))];
}

function nameOf(text: string): string {
  return text.replace('.', '_').toUpperCase();
}
