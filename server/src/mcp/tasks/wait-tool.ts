import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphqlResult } from '../../gql/requests.ts';
import { type OperationToolOptions, operationTool, refuseUnknown } from '../registry/operation-tool.ts';
import type { Arguments, Tool, ToolCall, Waiting, Work } from '../registry/tool.ts';
import type { ToolFile } from '../registry/tool-file.ts';
import { operationResult, toolResult } from '../registry/tool-result.ts';
import { runOperation } from '../session/caller.ts';

/** Interval of progress reports: short enough for clients with timeouts. */
const SLICE_SECONDS = 5;
/** The operation's own limit; it refuses more. */
const MAX_SECONDS = 300;
/** Final states. */
const SETTLED = ['COMPLETE', 'ERROR', 'CANCELLED', 'NONE'];

interface Waited {
  readonly waitForProcessing?: {
    readonly status?: string;
    readonly job?: { readonly progress?: number } | null;
  } | null;
}

/** The operation of a tool file that waits with `$timeoutSeconds`: run in slices, with progress reported after each. */
export function waitTool(file: ToolFile, options: OperationToolOptions): Tool {
  const once = operationTool(file, options);
  const call = async (given: ToolCall): Promise<CallToolResult> => {
    const { timeoutSeconds } = given.arguments;
    // The operation reports invalid times.
    if (!isSensible(timeoutSeconds) || timeoutSeconds <= SLICE_SECONDS) return once.call(given);
    let left = timeoutSeconds;
    let result: GraphqlResult;
    do {
      const slice = Math.min(SLICE_SECONDS, left);
      left -= slice;
      const variables = { ...given.arguments, timeoutSeconds: slice };
      result = await runOperation(options.engine, given.caller, { query: file.text, variables });
      const { status = 'ERROR', job } = (result.body.data as Waited | undefined)?.waitForProcessing ?? {};
      if (result.body.errors || SETTLED.includes(status)) break;
      given.report(job?.progress ?? 0, 100, status);
    } while (left > 0 && !given.caller.signal.aborted);
    return operationResult(options.words.result(result, file), file.undo);
  };
  const definition = { ...once.definition, execution: { taskSupport: 'optional' as const } };
  return { ...once, definition, call, waiting: waitingFor(file, { ...once, definition, call }, options) };
}

/** The tool's operation, with the fields of the job that a task needs. */
const LOOK = `mutation AgentTask($contentId: DID!, $timeoutSeconds: Int) {
  waitForProcessing(input: { contentId: $contentId, timeoutSeconds: $timeoutSeconds }) {
    status
    error
    job { id progress createdAt startedAt finishedAt }
  }
}`;

interface Looked {
  readonly waitForProcessing: {
    readonly status: string;
    readonly error: string | null;
    readonly job: {
      readonly id: string;
      readonly progress: number;
      readonly createdAt: string;
      readonly startedAt: string | null;
      readonly finishedAt: string | null;
    } | null;
  };
}

function waitingFor(file: ToolFile, tool: Tool, options: OperationToolOptions): Waiting {
  const known = Object.keys(tool.definition.inputSchema.properties ?? {});
  return {
    isLong: ({ timeoutSeconds }: Arguments) => !isSensible(timeoutSeconds) || timeoutSeconds > SLICE_SECONDS,
    async look(call) {
      const refused = refuseUnknown(tool.definition.name, known, call, options);
      if (refused) return refused;
      const { timeoutSeconds } = call.arguments;
      const isGiven = timeoutSeconds !== undefined && timeoutSeconds !== null;
      const variables = {
        ...call.arguments,
        timeoutSeconds: isGiven && !isSensible(timeoutSeconds) ? timeoutSeconds : 0,
      };
      const looked = await runOperation(options.engine, call.caller, { query: LOOK, variables });
      const result = options.words.result(looked, file);
      // The document above.
      return result.body.errors ? toolResult(result) : workOf(result.body.data as unknown as Looked);
    },
    wait: (call) => tool.call({ ...call, arguments: { ...call.arguments, timeoutSeconds: MAX_SECONDS } }),
  };
}

function isSensible(seconds: unknown): seconds is number {
  return Number.isInteger(seconds) && Number(seconds) >= 0 && Number(seconds) <= MAX_SECONDS;
}

function workOf({ waitForProcessing: { status, error, job } }: Looked): Work {
  const isOver = SETTLED.includes(status);
  const progress = job && !isOver ? `, ${job.progress} %` : '';
  return {
    id: job?.id ?? null,
    isOver,
    message: error === null ? `${status}${progress}` : `${status}: ${error}`,
    changedAt: job && (job.finishedAt ?? job.startedAt ?? job.createdAt),
  };
}
