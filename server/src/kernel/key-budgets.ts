import { type Message, phrase } from './languages/message.ts';

/**
 * The usage limits that an account can set for its key, as error messages name them; the database function
 * api_key_usage_total counts the windows.
 */
export const KEY_BUDGETS = {
  DELETES: (limit: number): Message => phrase`${limit} deletions in 24 hours`,
  PUBLISHES: (limit: number): Message => phrase`${limit} publications in an hour`,
  PROCESSING_MINUTES: (limit: number): Message => phrase`${limit} minutes of processing in 24 hours`,
} as const;

export type KeyBudget = keyof typeof KEY_BUDGETS;

/** The usage that one call adds to a limit. A call with an amount of 0 is refused once the limit is reached. */
export interface UsageCharge {
  readonly budget: KeyBudget;
  readonly amount: number;
}

/** Usage of a mutation that deletes this many objects. */
export const deletions = (amount: number): UsageCharge[] => [{ budget: 'DELETES', amount }];

/** Usage of a mutation that publishes this many contents. */
export const publications = (amount: number): UsageCharge[] => [{ budget: 'PUBLISHES', amount }];

/** Usage of a mutation that submits a video for processing; its minutes are known only later. */
export const processing = (): UsageCharge[] => [{ budget: 'PROCESSING_MINUTES', amount: 0 }];
