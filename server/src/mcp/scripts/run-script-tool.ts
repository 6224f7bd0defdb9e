import type { CallToolResult } from '@modelcontextprotocol/server';
import { AppError } from '../../kernel/errors.ts';
import { RunError } from '../../media/index.ts';
import { annotationsOf, refuseUnknown, type ToolOptions } from '../registry/operation-tool.ts';
import { isObject } from '../registry/result-shape.ts';
import { resultText } from '../registry/result-text.ts';
import type { Tool, ToolCall } from '../registry/tool.ts';
import { refusal, refusedWith } from '../registry/tool-result.ts';
import { ConcurrencyLimiter } from '../session/concurrency-limiter.ts';
import { ScriptCalls } from './script-calls.ts';
import { PARALLEL_SCRIPTS, SCRIPT_LIMITS, type ScriptLimits } from './script-limits.ts';
import { type ProgramStarter, runScript, type ScriptEnd } from './script-process.ts';

export const RUN_SCRIPT = 'run_script';

const ARGUMENTS = {
  code: { type: 'string', description: 'The body of an async function.' },
  allowDestructive: { type: 'boolean', description: 'Whether it may call destructive tools.', default: false },
} as const;

export interface ScriptToolOptions extends ToolOptions {
  readonly starter: ProgramStarter;
  /** The tools that scripts call. */
  readonly find: (name: string) => Tool | null;
  readonly limits?: ScriptLimits;
}

/** The tool that runs a script over the other tools: for loops, and for much data of which little is an answer. */
export function runScriptTool({ limits = SCRIPT_LIMITS, ...options }: ScriptToolOptions): Tool {
  const ofAccount = new ConcurrencyLimiter(PARALLEL_SCRIPTS.ofAccount);
  const ofInstance = new ConcurrencyLimiter(PARALLEL_SCRIPTS.ofInstance);
  return {
    definition: {
      name: RUN_SCRIPT,
      title: 'Run a script',
      description:
        'Runs JavaScript or TypeScript that calls tools, for loops and to compare many objects. await ' +
        'tools.NAME(args) returns its data, await all("NAME", args) the items of all pages, await query(document, ' +
        'variables) the data of a GraphQL query. Return or console.log what you need ' +
        `(${limits.resultCharacters.toLocaleString('en')} characters). search_tools with signatures: true declares ` +
        'arguments and results. No network, files or timers.',
      inputSchema: { type: 'object', properties: ARGUMENTS, required: ['code'], additionalProperties: false },
      annotations: annotationsOf({ isReadOnly: false, destructive: true, idempotent: false }),
    },
    toolset: 'graphql',
    isQuiet: false,
    isReadOnly: false,
    isDestructive: true,
    needsConfirmation: ({ allowDestructive }) => allowDestructive === true,
    access: [],
    async call(call) {
      const refused =
        refuseUnknown(RUN_SCRIPT, Object.keys(ARGUMENTS), call, options) ?? refuseWrong(call, limits, options);
      if (refused) return refused;
      const leaves = [ofAccount.take(call.caller.channelId), ofInstance.take('')];
      try {
        if (leaves.includes(null)) return refusedWith(tooMany(), options.baseUrl);
        return await run(call, limits, options);
      } finally {
        for (const leave of leaves) leave?.();
      }
    },
  };
}

function refuseWrong(
  { arguments: { code, allowDestructive } }: ToolCall,
  { codeCharacters }: ScriptLimits,
  { baseUrl }: ToolOptions,
): CallToolResult | null {
  if (typeof code !== 'string' || code.trim() === '') return refusal('code', 'is a script as text', baseUrl);
  if (code.length > codeCharacters) return refusal('code', `has at most ${codeCharacters} characters`, baseUrl);
  if (allowDestructive !== undefined && typeof allowDestructive !== 'boolean')
    return refusal('allowDestructive', 'is true or false', baseUrl);
  return null;
}

function tooMany(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', 'Too many scripts are running.', {
    suggestedFix: `Wait until they end; an account runs ${PARALLEL_SCRIPTS.ofAccount} at the same time.`,
    retryAfterSeconds: 5,
  });
}

async function run(
  call: ToolCall,
  limits: ScriptLimits,
  { find, starter, baseUrl }: Omit<ScriptToolOptions, 'limits'>,
): Promise<CallToolResult> {
  const ended = new AbortController();
  const caller = { ...call.caller, signal: AbortSignal.any([call.caller.signal, ended.signal]) };
  const calls = new ScriptCalls({
    find: (name) => (name === RUN_SCRIPT ? null : find(name)),
    baseUrl,
    of: { ...call, caller },
    isDestructionAllowed: call.arguments['allowDestructive'] === true,
    maxCalls: limits.calls,
    maxArgumentsCharacters: limits.argumentsCharacters,
  });
  try {
    const end = await runScript(starter, {
      code: String(call.arguments['code']), // checked before
      limits,
      signal: call.caller.signal,
      answer: (made) => calls.answer(made),
    });
    return resultOf(end, calls, limits);
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const unavailable = new AppError('SERVICE_UNAVAILABLE', 'Scripts cannot be run on this server at present.', {
      suggestedFix: 'Call the tools one by one, or try again in a minute.',
      retryAfterSeconds: 60,
      cause: error,
    });
    return refusedWith(unavailable, baseUrl);
  } finally {
    ended.abort();
  }
}

function resultOf(end: ScriptEnd, calls: ScriptCalls, limits: ScriptLimits): CallToolResult {
  if (end.kind !== 'done') return failed(messageOf(end, limits), end.kind === 'failed' ? end.logs : [], calls);
  const { value, logs } = end;
  if (JSON.stringify(value).length > limits.resultCharacters)
    return failed(messageOf({ kind: 'output' }, limits), logs, calls);
  const shown = isObject(value) && Object.keys(value).length > 0 ? value : { result: value };
  const text = [resultText(shown), ...logText(logs)].filter((part) => part !== '').join('\n');
  return {
    content: [{ type: 'text', text: text === '' ? 'The script returned nothing.' : text }],
    structuredContent: { result: value, ...(logs.length > 0 ? { logs } : {}), calls: calls.count },
  };
}

function messageOf(end: Exclude<ScriptEnd, { kind: 'done' }>, limits: ScriptLimits): string {
  switch (end.kind) {
    case 'failed':
      return `${end.name}${end.line === null ? '' : ` in line ${end.line}`}: ${end.message}`;
    case 'cpu':
      return `The script computed for more than ${limits.cpuMs / 1000} s. Look for a loop that does not end.`;
    case 'wall':
      return `The script took longer than ${limits.wallMs / 1000} s. Do less in one script.`;
    case 'memory':
      return `The script needed more than ${limits.memoryBytes / 1024 ** 2} MiB. Keep fewer objects at a time.`;
    case 'output':
      return (
        `The result, or a call, has too many characters: a result may have ${limits.resultCharacters}. ` +
        'Return a summary, or fewer fields.'
      );
    case 'cancelled':
      return 'The call was cancelled.';
  }
}

/** An error with what was done before it, which stays. */
function failed(message: string, logs: readonly string[], { count, changes }: ScriptCalls): CallToolResult {
  const changed = [...changes].map(([name, times]) => `${name} (${times})`).join(', ');
  const before =
    changed === ''
      ? `Nothing was changed; ${count === 1 ? '1 call was' : `${count} calls were`} made.`
      : `Before it, these calls changed something, and stay: ${changed}.`;
  return {
    isError: true,
    content: [{ type: 'text', text: [message, before, ...logText(logs)].join('\n') }],
    structuredContent: { error: message, changed: Object.fromEntries(changes), calls: count },
  };
}

/** Lines of the log may have text of users: it is marked as in other results. */
function logText(logs: readonly string[]): string[] {
  return logs.length === 0 ? [] : [resultText({ log: logs })];
}
