import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { packagesOf, RunError, type Runner } from '../../media/index.ts';
import { WorkQueue } from '../../platform/work-queue.ts';
import { processLimits, type ScriptLimits } from './script-limits.ts';

const PROGRAM = fileURLToPath(new URL('./script-program.mjs', import.meta.url));
const NODE_FLAGS = ['--no-warnings', '--max-old-space-size=128', '--disallow-code-generation-from-strings'];
/** A line of the program beside the text of its call or result. */
const FRAME_CHARACTERS = 10_000;

/** The part of the sandbox's runner that starts programs. */
export type ProgramStarter = Pick<Runner, 'startProgram'>;

/** A call of a tool by a script. */
export interface ScriptCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Whether it reads a list page by page. */
  readonly isPaged: boolean;
}

/** What a script gets for a call. */
export type ScriptAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** How a script ended; `line` is where it failed, null where that is unknown. */
export type ScriptEnd =
  | { readonly kind: 'done'; readonly value: unknown; readonly logs: readonly string[] }
  | {
      readonly kind: 'failed';
      readonly name: string;
      readonly message: string;
      readonly line: number | null;
      readonly logs: readonly string[];
    }
  | { readonly kind: 'cpu' | 'wall' | 'memory' | 'output' | 'cancelled' };

export interface ScriptRun {
  readonly code: string;
  readonly limits: ScriptLimits;
  readonly signal: AbortSignal;
  /** Does not reject. */
  readonly answer: (call: ScriptCall) => Promise<ScriptAnswer>;
}

/**
 * Runs a script in a process of its own in the sandbox, and ends the process in any case. The process may be
 * compromised: what it sends is bounded, checked, and no more than calls that the account may make.
 * @throws RunError where the process cannot be started.
 */
export async function runScript(starter: ProgramStarter, run: ScriptRun): Promise<ScriptEnd> {
  const { limits, signal } = run;
  const child = await starter.startProgram(process.execPath, [...NODE_FLAGS, PROGRAM], {
    limits: processLimits(limits),
    readOnly: [PROGRAM, ...packagesOf('quickjs-wasi', dirname(PROGRAM))],
    interactive: true,
  });
  // A process that has ended reads no more.
  child.stdin.on('error', () => {});
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill();
  }, limits.wallMs);
  const cancel = () => child.kill();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  const send = (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    send(orderOf(run));
    const end = await readEnd(child.stdout, run, send);
    if (end) return end;
    const failure = await child.ended.then(
      () => null,
      (error: unknown) => error,
    );
    if (signal.aborted) return { kind: 'cancelled' };
    if (isLate) return { kind: 'wall' };
    return { kind: kindOf(failure) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    child.kill();
    await child.ended.catch(() => {});
  }
}

function orderOf({ code, limits }: ScriptRun): object {
  const { memoryBytes, stackBytes, cpuMs, calls, logCharacters } = limits;
  return { code, memoryBytes, stackBytes, cpuMs, maxWaiting: calls + 1, maxLogs: logCharacters };
}

/** A process that ends without a result: by a limit of the kernel, or because memory was refused. */
function kindOf(failure: unknown): 'cpu' | 'wall' | 'memory' {
  const reason = failure instanceof RunError ? failure.reason : null;
  if (reason === 'cpu-limit') return 'cpu';
  return reason === 'timeout' ? 'wall' : 'memory';
}

/** Answers calls until the script ends; null if its process ends before. */
async function readEnd(
  stdout: Readable,
  { limits, answer }: ScriptRun,
  send: (message: object) => void,
): Promise<ScriptEnd | null> {
  const longest = Math.max(limits.argumentsCharacters, limits.resultCharacters) + limits.logCharacters;
  // A script that is itself has no more calls waiting than it may make.
  const calls = new WorkQueue({
    concurrency: limits.parallelCalls,
    maxWaiting: limits.calls + 1,
    refusal: 'Too many calls wait.',
  });
  for await (const line of linesOf(stdout, longest + FRAME_CHARACTERS)) {
    if (line === null) return { kind: 'output' };
    const message = messageOf(line);
    const end = endOf(message);
    if (end) return end;
    const call = callOf(message);
    if (!call) return { kind: 'memory' }; // it is not itself any more
    void calls
      .run(() => answer(call))
      .then((result) => send({ id: call.id, ...result }))
      .catch(() => send({ id: call.id, error: { code: 'INTERNAL_SERVER_ERROR', message: 'The call failed.' } }));
  }
  return null;
}

/** Lines of at most this many characters; null for a longer one, which is the last. */
async function* linesOf(stream: Readable, longest: number): AsyncGenerator<string | null, void> {
  let rest = '';
  stream.setEncoding('utf8');
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      rest += chunk;
      for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
        yield end > longest ? null : rest.slice(0, end);
        rest = rest.slice(end + 1);
      }
      if (rest.length > longest) return yield null;
    }
  } catch {
    // It was killed.
  }
}

type Message = Readonly<Record<string, unknown>>;

function messageOf(line: string): Message {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? { ...message } : {};
  } catch {
    return {};
  }
}

function callOf({ call: id, name, args, isPaged }: Message): (ScriptCall & { readonly id: number }) | null {
  if (typeof id !== 'number' || typeof name !== 'string') return null;
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return { id, name, arguments: isObject ? { ...args } : {}, isPaged: isPaged === true };
}

function endOf(message: Message): ScriptEnd | null {
  const logs = Array.isArray(message['logs']) ? message['logs'].map(String) : [];
  if (Object.hasOwn(message, 'done')) return { kind: 'done', value: message['done'], logs };
  const { failed } = message;
  if (typeof failed !== 'object' || failed === null) return null;
  const { name, message: text, stack } = failed as Message;
  if (name === 'Timeout') return { kind: 'cpu' };
  if (name === 'InternalError' && String(text).includes('out of memory')) return { kind: 'memory' };
  return {
    kind: 'failed',
    name: typeof name === 'string' ? name : 'Error',
    message: String(text ?? ''),
    line: lineIn(String(stack ?? '')),
    logs,
  };
}

/** The line of the script, which is wrapped in a function that begins on a line of its own. */
function lineIn(stack: string): number | null {
  const [, line] = /script\.js:(\d+)/.exec(stack) ?? [];
  return line === undefined ? null : Math.max(1, Number(line) - 1);
}
