import type { Failure } from './failures.ts';
import type { Terminal } from './terminal.ts';

/** Tells people what went wrong and what to do about it; `what` names the one of several it is about. */
export function tellFailure(err: Terminal, failure: Failure, what?: string): void {
  const about = [failure.code, failure.field].filter(Boolean).join(', ');
  const message = what === undefined ? failure.message : `${what}: ${failure.message}`;
  err.line(`${err.style('red', 'error:')} ${message}${about ? err.style('dim', ` (${about})`) : ''}`);
  if (failure.suggestedFix) err.line(`${err.style('cyan', 'try:')} ${failure.suggestedFix}`);
  if (failure.documentation) err.line(`${err.style('cyan', 'see:')} ${failure.documentation}`);
  if (failure.requestId) err.line(err.style('dim', `request ${failure.requestId}`));
}
