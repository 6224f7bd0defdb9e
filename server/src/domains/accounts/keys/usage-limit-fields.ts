import type { EntityField, FieldsInput } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

const MAX = 1_000_000;

/** A whole number of what a key may use in a time; null is no limit. */
function limitField(column: string, what: string): EntityField<number, number | null> {
  return {
    column,
    sqlType: 'integer',
    type: 'Int',
    description: `${what}.`,
    inputDescription: `${what}, 0 to 1,000,000.`,
    read: (value, field) => {
      if (value >= 0 && value <= MAX) return value;
      throw new AppError('INVALID_INPUT', t`${field} must be a number from 0 to ${MAX}, or null for no limit.`, {
        field,
      });
    },
    empty: null,
  };
}

/** The usage limits of an account's key. */
export const USAGE_LIMIT_FIELDS = {
  deletesPerDay: limitField('deletes_per_day', 'Deletions in 24 hours'),
  publishesPerHour: limitField('publishes_per_hour', 'Publications in an hour'),
  processingMinutesPerDay: limitField(
    'processing_minutes_per_day',
    "Minutes of video processed for the account's channels in 24 hours after which the key can submit nothing more",
  ),
};

export type UsageLimitsInput = FieldsInput<typeof USAGE_LIMIT_FIELDS>;
