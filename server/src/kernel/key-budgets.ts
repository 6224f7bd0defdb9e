/** What an account can limit of its key's doings, in the words of a refusal; the windows are counted by api_key_usage_total in the database. */
export const KEY_BUDGETS = {
  DELETES: { what: 'deletions', window: '24 hours' },
  PUBLISHES: { what: 'publications', window: 'an hour' },
  PROCESSING_MINUTES: { what: 'minutes of processing', window: '24 hours' },
} as const;

export type KeyBudget = keyof typeof KEY_BUDGETS;

/** What one call takes from a budget. An amount of 0 takes nothing, and is refused once the budget is spent. */
export interface KeySpending {
  readonly budget: KeyBudget;
  readonly amount: number;
}

/** `spends` of a mutation that deletes as many things. */
export const deletions = (amount: number): KeySpending[] => [{ budget: 'DELETES', amount }];

/** `spends` of a mutation that publishes as many contents. */
export const publications = (amount: number): KeySpending[] => [{ budget: 'PUBLISHES', amount }];

/** `spends` of a mutation that has a video processed: how long it is turns out later. */
export const processing = (): KeySpending[] => [{ budget: 'PROCESSING_MINUTES', amount: 0 }];
