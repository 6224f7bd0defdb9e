import type { GraphqlResult } from '../gql/requests.ts';
import { runOperation } from './caller.ts';
import { operationTool, type ToolOptions } from './operation-tool.ts';
import type { Tool } from './tool.ts';
import type { ToolFile } from './tool-file.ts';
import { operationResult } from './tool-result.ts';

/** Between two reports of progress: short enough for clients that wait for a sign of life. */
const SLICE_SECONDS = 5;
/** The operation's own limit: what is beyond it, the operation refuses. */
const MAX_SECONDS = 300;
/** States in which there is nothing left to wait for. */
const SETTLED = ['COMPLETE', 'ERROR', 'CANCELLED', 'NONE'];

interface Waited {
  readonly waitForProcessing?: { readonly status?: string; readonly job?: { readonly progress?: number } | null } | null;
}

/** The operation of a tool file that waits with `$timeoutSeconds`: run in slices, with the progress told after each. */
export function waitTool(file: ToolFile, options: ToolOptions): Tool {
  const once = operationTool(file, options);
  return {
    ...once,
    async call(call) {
      const { timeoutSeconds } = call.arguments;
      // What is no sensible time is left to the operation, which says so.
      if (!Number.isInteger(timeoutSeconds) || Number(timeoutSeconds) <= SLICE_SECONDS || Number(timeoutSeconds) > MAX_SECONDS)
        return once.call(call);
      let left = Number(timeoutSeconds);
      let result: GraphqlResult;
      do {
        const slice = Math.min(SLICE_SECONDS, left);
        left -= slice;
        const variables = { ...call.arguments, timeoutSeconds: slice };
        result = await runOperation(options.engine, call.caller, { query: file.text, variables });
        const { status = 'ERROR', job } = (result.body.data as Waited | undefined)?.waitForProcessing ?? {};
        if (result.body.errors || SETTLED.includes(status)) break;
        call.report(job?.progress ?? 0, 100, status);
      } while (left > 0 && !call.caller.signal.aborted);
      return operationResult(result, file.undo);
    },
  };
}
