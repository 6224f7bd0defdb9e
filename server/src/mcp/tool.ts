import type { CallToolResult, Tool as ToolDefinition } from '@modelcontextprotocol/server';
import type { Access } from '../kernel/permissions.ts';
import type { Caller } from './caller.ts';
import type { Toolset } from './tool-file.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** How a running tool tells how far it is. */
export type Report = (progress: number, total: number, message: string) => void;

export interface ToolCall {
  readonly caller: Caller;
  readonly arguments: Arguments;
  readonly report: Report;
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
}
