import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Access } from '../../kernel/permissions.ts';
import type { Caller } from '../session/caller.ts';
import type { Toolset } from './tool-file.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Progress reports of a running tool. */
export type Report = (progress: number, total: number, message: string) => void;

export interface ToolCall {
  readonly caller: Caller;
  readonly arguments: Arguments;
  readonly report: Report;
}

/** Progress of the work that a tool waits for. */
export interface Work {
  /** Id of the work; null without one. */
  readonly id: string | null;
  readonly isOver: boolean;
  /** Status message for a person or a model. */
  readonly message: string;
  /** When it last changed, as DateTime; null without work. */
  readonly changedAt: string | null;
}

/** Additional capabilities of a waiting tool: a call of it can be a task. */
export interface Waiting {
  /** Whether a call with these arguments waits. */
  isLong(given: Arguments): boolean;
  /** Reads the state without waiting; a refused call returns its result. */
  look(call: ToolCall): Promise<Work | CallToolResult>;
  /** The tool's result once the work has ended, or after the maximum wait of a request. */
  wait(call: ToolCall): Promise<CallToolResult>;
}

/** A tool that a model can call. */
export interface Tool {
  /** Its entry in `tools/list`. */
  readonly definition: ToolDefinition;
  readonly toolset: Toolset;
  readonly isQuiet: boolean;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Whether a call with these arguments needs the confirmation of a destructive tool; by default every call. */
  readonly needsConfirmation?: (given: Arguments) => boolean;
  /** Permissions of the root fields of its operation; a tool is listed for accounts that have all of them. */
  readonly access: readonly Access[];
  /** Does not reject for errors of the arguments or the account: these are results with `isError`. */
  call(call: ToolCall): Promise<CallToolResult>;
  /** Only for waiting tools. */
  readonly waiting?: Waiting;
}
