import { annotationsOf, refuseUnknown, type ToolOptions } from './registry/operation-tool.ts';
import type { Tool } from './registry/tool.ts';
import { refusal } from './registry/tool-result.ts';
import { wordsOf } from './registry/words.ts';
import { toolSignature } from './scripts/tool-signatures.ts';

const ARGUMENTS = {
  query: { type: 'string', description: 'What to do, such as "translate captions", or names of tools.' },
  signatures: { type: 'boolean', description: 'Return TypeScript signatures, for run_script.', default: false },
} as const;
/** Maximum length of a query. */
const MAX_SEARCH = 200;
/** Tools in a result. */
const MAX_FOUND = 5;

/** The tool that finds others, in particular quiet ones, which are callable but not listed. */
export function searchToolsTool(options: ToolOptions, all: () => readonly Tool[]): Tool {
  return {
    definition: {
      name: 'search_tools',
      title: 'Search tools',
      description: 'Finds further tools by words, with their arguments. They can be called though they are not listed.',
      inputSchema: { type: 'object', properties: ARGUMENTS, required: ['query'], additionalProperties: false },
      annotations: annotationsOf({ isReadOnly: true, destructive: false, idempotent: true }),
    },
    toolset: 'graphql',
    isQuiet: false,
    isReadOnly: true,
    isDestructive: false,
    access: [],
    async call(call) {
      const refused = refuseUnknown('search_tools', Object.keys(ARGUMENTS), call, options);
      if (refused) return refused;
      const { query, signatures = false } = call.arguments;
      if (typeof signatures !== 'boolean') return refusal('signatures', 'is true or false', options.baseUrl);
      if (typeof query !== 'string' || query.trim() === '' || query.length > MAX_SEARCH)
        return refusal('query', `is text with at least one word, ${MAX_SEARCH} characters at most`, options.baseUrl);
      const tools = matching(all(), query);
      if (signatures && tools.length > 0) {
        const declared = tools.map(toolSignature);
        return { content: [{ type: 'text', text: declared.join('\n') }], structuredContent: { signatures: declared } };
      }
      const found = tools.map(({ definition }) => ({
        name: definition.name,
        title: definition.title ?? definition.name,
        description: definition.description ?? '',
        inputSchema: definition.inputSchema,
      }));
      const text =
        found.length === 0
          ? 'No tool matches these words. search_schema finds queries and mutations.'
          : found
              .map(({ name, description, inputSchema }) => `${name}: ${description}\n${JSON.stringify(inputSchema)}`)
              .join('\n\n');
      return { content: [{ type: 'text', text }], structuredContent: { found } };
    },
  };
}

/** The tools that match most words, best first; words of a name weigh more than those of a description. */
function matching(tools: readonly Tool[], query: string): Tool[] {
  const wanted = wordsOf(query);
  const scoreOf = ({ definition: { name, title = '', description = '' } }: Tool) => {
    const [inName, inText] = [wordsOf(name), wordsOf(`${title} ${description}`)];
    return [...wanted].reduce((sum, word) => sum + (inName.has(word) ? 5 : 0) + (inText.has(word) ? 2 : 0), 0);
  };
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.tool.definition.name < b.tool.definition.name ? -1 : 1))
    .slice(0, MAX_FOUND)
    .map(({ tool }) => tool);
}
