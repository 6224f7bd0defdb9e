import type { ErrorDetails } from './errors.ts';
import type { Terminal } from './terminal.ts';

/** Whether errors are printed as JSON, also where the command line could not be parsed. */
export const isJson = process.argv.includes('--json');

/** Prints the error and the suggested fix; `subject` is the input that it concerns. */
export function printError(err: Terminal, error: ErrorDetails, subject?: string): void {
  const source = [error.code, error.field].filter(Boolean).join(', ');
  const message = subject === undefined ? error.message : `${subject}: ${error.message}`;
  err.line(`${err.style('red', 'error:')} ${message}${source ? err.style('dim', ` (${source})`) : ''}`);
  if (error.suggestedFix) err.line(`${err.style('cyan', 'try:')} ${error.suggestedFix}`);
  if (error.documentation) err.line(`${err.style('cyan', 'see:')} ${error.documentation}`);
  if (error.requestId) err.line(err.style('dim', `request ${error.requestId}`));
}
