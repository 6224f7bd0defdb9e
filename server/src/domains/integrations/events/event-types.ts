import { AppError } from '../../../kernel/errors.ts';
import { EVENT_TYPES, type EventType } from '../../../kernel/event-types.ts';
import { t } from '../../../kernel/languages/message.ts';

/** All names, in the order of the table. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES) as EventType[]; // Object.keys loses the literal type

/** Sentence for the descriptions of arguments with event types. */
export const EVENT_TYPES_HELP = `Names: ${EVENT_TYPE_NAMES.join(', ')}.`;

/**
 * Reads names of event types, without duplicates. Throws INVALID_INPUT with `field` for any other text, FIELD_REQUIRED
 * for none.
 */
export function readEventTypes(names: readonly string[], field: string): EventType[] {
  if (names.length === 0) {
    throw new AppError('FIELD_REQUIRED', t`The list of event types is empty.`, {
      field,
      suggestedFix: t`Name at least one type, for example content.published.`,
    });
  }
  const unknown = names.find((name) => !Object.hasOwn(EVENT_TYPES, name));
  if (unknown !== undefined) {
    throw new AppError('INVALID_INPUT', t`There is no event type "${unknown.slice(0, 100)}".`, {
      field,
      suggestedFix: t`Choose from: ${EVENT_TYPE_NAMES.join(', ')}.`,
    });
  }
  return EVENT_TYPE_NAMES.filter((name) => names.includes(name));
}
