import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isPermission } from '../kernel/permissions.ts';
import { AgentWords } from './registry/agent-words.ts';
import { graphqlTools } from './registry/graphql-tools.ts';
import { type OperationToolOptions, operationTool, type ToolOptions } from './registry/operation-tool.ts';
import type { Tool } from './registry/tool.ts';
import { readToolFile, TOOLSETS, type ToolFile, type Toolset } from './registry/tool-file.ts';
import { didYouMean } from './registry/words.ts';
import { runScriptTool } from './scripts/run-script-tool.ts';
import type { ProgramStarter } from './scripts/script-process.ts';
import { searchToolsTool } from './search-tools.ts';
import { waitTool } from './tasks/wait-tool.ts';

const FOLDER = join(import.meta.dirname, './tools');

/** Tools with special handling. */
const SPECIAL: Readonly<Record<string, (file: ToolFile, options: OperationToolOptions) => Tool>> = {
  wait_for_processing: waitTool,
};

/** A client's selection of tools. */
export interface Choice {
  /** Null: all but the quiet ones. */
  readonly toolsets: ReadonlySet<Toolset> | null;
  /** Only read-only tools; the others cannot be called either. */
  readonly readOnly: boolean;
}

export interface RegistryOptions extends ToolOptions {
  /** Starts the processes of scripts. */
  readonly starter: ProgramStarter;
}

const byFileName = (a: string, b: string) => (basename(a) < basename(b) ? -1 : 1);

/** All tools: a file in `tools/DOMAIN/` each, and those for GraphQL itself. */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #files: readonly ToolFile[];

  private constructor(files: readonly ToolFile[], options: RegistryOptions) {
    this.#files = files;
    const words = new AgentWords(options.engine.schema, files);
    const tools = [
      ...files.map((file) => (SPECIAL[file.name] ?? operationTool)(file, { ...options, words })),
      ...graphqlTools(options),
      searchToolsTool(options, () => this.all),
      runScriptTool({ ...options, find: (name) => this.find(name, { readOnly: false }) }),
    ];
    this.#tools = new Map(tools.map((tool) => [tool.definition.name, tool]));
  }

  /** Reads the tool files. Throws an Error that names a file that does not match the schema. */
  static async load(options: RegistryOptions): Promise<ToolRegistry> {
    const paths = (await readdir(FOLDER, { recursive: true }))
      .filter((path) => path.endsWith('.graphql'))
      .sort(byFileName);
    const files = await Promise.all(
      paths.map(async (path) =>
        readToolFile(options.engine.schema, basename(path), await readFile(join(FOLDER, path), 'utf8')),
      ),
    );
    return new ToolRegistry(files, options);
  }

  /** Tools in the order of their toolsets, filtered by the account's permissions and the client's choice. */
  list({ toolsets, readOnly }: Choice, permissions: ReadonlySet<string>): Tool[] {
    return [...this.#tools.values()]
      .filter((tool) => (toolsets ? toolsets.has(tool.toolset) : !tool.isQuiet))
      .filter((tool) => tool.isReadOnly || !readOnly)
      .filter(({ access }) => access.every((needed) => !isPermission(needed) || permissions.has(needed)))
      .sort((a, b) => TOOLSETS.indexOf(a.toolset) - TOOLSETS.indexOf(b.toolset));
  }

  /** The tool of this name, including quiet ones; null if unknown or not allowed for a read-only client. */
  find(name: string, { readOnly }: Pick<Choice, 'readOnly'>): Tool | null {
    const tool = this.#tools.get(name);
    return tool && (tool.isReadOnly || !readOnly) ? tool : null;
  }

  /** The error for a tool that is unknown or not allowed for a read-only client. */
  explainMissing(name: string, choice: Pick<Choice, 'readOnly'>): string {
    const possible = this.all.filter((tool) => tool.isReadOnly || !choice.readOnly);
    const similar = didYouMean(
      name,
      possible.map(({ definition }) => definition.name),
    );
    return `There is no tool ${JSON.stringify(name.slice(0, 80))}. ${similar}search_tools finds tools by words.`;
  }

  /** The GraphQL document of a tool file. */
  documentOf(name: string): string | undefined {
    return this.#files.find((file) => file.name === name)?.text;
  }

  get all(): Tool[] {
    return [...this.#tools.values()];
  }
}
