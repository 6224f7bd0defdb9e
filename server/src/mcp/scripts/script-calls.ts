import type { CallToolResult } from '@modelcontextprotocol/server';
import { AppError } from '../../kernel/errors.ts';
import type { Tool, ToolCall } from '../registry/tool.ts';
import { refusedWith } from '../registry/tool-result.ts';
import type { ScriptAnswer, ScriptCall } from './script-process.ts';

/** Entries of a page that `all` reads, where the script does not say. */
const PAGE = 50;

export interface ScriptCallsOptions {
  readonly find: (name: string) => Tool | null;
  readonly baseUrl: string;
  /** The call of the script itself: its calls are made by the same caller. */
  readonly of: ToolCall;
  readonly isDestructionAllowed: boolean;
  readonly maxCalls: number;
  readonly maxArgumentsCharacters: number;
}

/**
 * The calls of one script. Each is a call of a tool by the same caller, so permissions, usage limits, costs and the
 * audit log are those of a call without a script.
 */
export class ScriptCalls {
  readonly #options: ScriptCallsOptions;
  /** How often each tool was called that changes something, without those that failed. */
  readonly changes = new Map<string, number>();
  count = 0;

  constructor(options: ScriptCallsOptions) {
    this.#options = options;
  }

  /** Makes a call; errors are answers, too. */
  async answer(call: ScriptCall): Promise<ScriptAnswer> {
    const { of, maxCalls, find, baseUrl } = this.#options;
    const tool = find(call.name);
    const refused = this.#refusal(call, tool);
    if (refused) return answerOf(refusedWith(refused, baseUrl));
    this.count += 1;
    of.report(this.count, maxCalls, call.name);
    // Without a tool it is refused above.
    const result = await tool!.call({ caller: of.caller, arguments: pagedArguments(tool!, call), report: () => {} });
    if (!result.isError && !tool!.isReadOnly) this.changes.set(call.name, (this.changes.get(call.name) ?? 0) + 1);
    return answerOf(result);
  }

  #refusal({ name, arguments: given }: ScriptCall, tool: Tool | null): AppError | null {
    const { of, isDestructionAllowed, maxCalls, maxArgumentsCharacters } = this.#options;
    if (!tool)
      return new AppError('RESOURCE_NOT_FOUND', `There is no tool ${JSON.stringify(name.slice(0, 80))}.`, {
        suggestedFix: 'Find its name with search_tools.',
      });
    if (this.count >= maxCalls)
      return new AppError('INVALID_INPUT', `A script makes at most ${maxCalls} calls.`, {
        suggestedFix: 'Do the rest in another script, or read longer pages.',
      });
    if (JSON.stringify(given).length > maxArgumentsCharacters)
      return new AppError('INVALID_INPUT', `The arguments have more than ${maxArgumentsCharacters} characters.`);
    if (tool.isDestructive && !isDestructionAllowed)
      return new AppError('UNAUTHORIZED', `${name} needs a confirmation, and this script has none.`, {
        field: 'allowDestructive',
        suggestedFix: 'Call run_script with allowDestructive: true; the person is asked once for the whole script.',
      });
    return of.caller.signal.aborted ? new AppError('SERVICE_UNAVAILABLE', 'The script has ended.') : null;
  }
}

/** `all` reads long pages of tools whose pages can be. */
function pagedArguments({ definition }: Tool, { arguments: given, isPaged }: ScriptCall) {
  const canBeLong = isPaged && Object.hasOwn(definition.inputSchema.properties ?? {}, 'first');
  return canBeLong && given['first'] === undefined ? { ...given, first: PAGE } : given;
}

/** The data of a result; a single root field is the whole result, as in its text. */
function answerOf({ isError, content, structuredContent }: CallToolResult): ScriptAnswer {
  if (isError) {
    const message = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    // From failedResult.
    const { errors } = (structuredContent ?? {}) as { errors?: readonly { readonly code?: unknown }[] };
    return { error: { code: String(errors?.[0]?.code ?? 'INTERNAL_SERVER_ERROR'), message } };
  }
  const values = Object.values(structuredContent ?? {});
  return { value: values.length === 1 ? values[0] : structuredContent };
}
