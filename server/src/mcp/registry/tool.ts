import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Access } from '../../kernel/permissions.ts';
import type { Caller } from '../session/caller.ts';
import type { Toolset } from './tool-file.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** How a running tool tells how far it is. */
export type Report = (progress: number, total: number, message: string) => void;

export interface ToolCall {
  readonly caller: Caller;
  readonly arguments: Arguments;
  readonly report: Report;
}

/** How far the work is that a tool waits for. */
export interface Work {
  /** Which piece of work it is; null where there is none. */
  readonly id: string | null;
  readonly isOver: boolean;
  /** In words for a person or a model. */
  readonly message: string;
  /** When it last changed, as DateTime; null where there is none. */
  readonly changedAt: string | null;
}

/** What a tool can do besides that waits for work which the platform does anyway: a call of it can be a task. */
export interface Waiting {
  /** Whether these arguments ask for more than a look. */
  isLong(given: Arguments): boolean;
  /** Looks without waiting; where the call is refused, with what it would have answered. */
  look(call: ToolCall): Promise<Work | CallToolResult>;
  /** The tool's answer once the work is over, or after the longest time that a request may wait. */
  wait(call: ToolCall): Promise<CallToolResult>;
}

/** What a model can call. */
export interface Tool {
  /** As `tools/list` shows it. */
  readonly definition: ToolDefinition;
  readonly toolset: Toolset;
  readonly isQuiet: boolean;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** What the root fields of its operation demand; a tool is listed for those who may use all of them. */
  readonly access: readonly Access[];
  /** Never rejects for anything that the arguments or the account cause: that is an answer with `isError`. */
  call(call: ToolCall): Promise<CallToolResult>;
  /** Only of a tool that waits. */
  readonly waiting?: Waiting;
}
