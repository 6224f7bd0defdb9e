import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPES_HELP } from '../events/event-types.ts';

const GROUPS = [...new Set(EVENT_TYPE_NAMES.map((name) => name.slice(0, name.indexOf('.'))))];

/** What a webhook can subscribe to, in the order in which it is stored: every type, every group, every name. */
const PATTERNS: readonly string[] = ['*', ...GROUPS.map((group) => `${group}.*`), ...EVENT_TYPE_NAMES];

/** Sentences for the descriptions of subscriptions. */
export const EVENT_PATTERNS_HELP =
  'A wildcard subscribes to a group (playlist.*) or to everything (*), including types that are added later. ' +
  EVENT_TYPES_HELP;

/**
 * Reads the subscription of a webhook: names of event types and wildcards, without duplicates.
 * @throws AppError FIELD_REQUIRED for none, INVALID_INPUT with `field` for what matches no type of event.
 */
export function readEventPatterns(patterns: readonly string[], field: string): string[] {
  if (patterns.length === 0)
    throw new AppError('FIELD_REQUIRED', t`The list of event types is empty.`, {
      field,
      suggestedFix: t`Name at least one type or wildcard, for example content.published or content.*.`,
    });
  const unknown = patterns.find((pattern) => !PATTERNS.includes(pattern));
  if (unknown !== undefined)
    throw new AppError('INVALID_INPUT', t`No event type matches "${unknown.slice(0, 100)}".`, {
      field,
      suggestedFix: t`Choose from: ${PATTERNS.join(', ')}.`,
    });
  return PATTERNS.filter((pattern) => patterns.includes(pattern));
}
