import type { DeprecatedUse, Operation } from '@reelgraph/sql-planner';
import { firstDayOf } from '../kernel/api-versions.ts';
import type { DeprecationNotice, GraphqlResult } from './requests.ts';

const notices = new WeakMap<Operation, readonly DeprecationNotice[]>();

/** What an operation should be told; undefined for most. */
export function noticesOf(operation: Operation): readonly DeprecationNotice[] | undefined {
  if (operation.deprecations.length === 0) return undefined;
  const known = notices.get(operation) ?? operation.deprecations.map(noticeOf);
  notices.set(operation, known);
  return known;
}

/** A result with the notices of its operation. */
export function withNotices(result: GraphqlResult, operation: Operation): GraphqlResult {
  const deprecations = noticesOf(operation);
  if (!deprecations) return result;
  const { extensions } = result.body;
  return { ...result, deprecations, body: { ...result.body, extensions: { ...extensions, deprecations } } };
}

function noticeOf({ element, deprecation }: DeprecatedUse): DeprecationNotice {
  const { use, period } = deprecation;
  return {
    element,
    use,
    since: period ? firstDayOf(period.since) : null,
    removal: period ? firstDayOf(period.removal) : null,
  };
}
