import {
  type DirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  Source,
  validate,
  valueFromASTUntyped,
} from 'graphql';

/** Groups of tools a client can choose (`?toolsets=`). */
export const TOOLSETS = [
  'account',
  'publish',
  'catalog',
  'playlists',
  'social',
  'moderation',
  'analytics',
  'graphql',
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** Properties of a tool, in the directive `@tool` of its operation. */
export interface ToolTraits {
  /** Display name. */
  readonly title: string;
  readonly toolset: Toolset;
  /** Deletes or hides something: requires confirmation where the client supports it. */
  readonly destructive: boolean;
  /** Calling it again with the same arguments has no further effect. */
  readonly idempotent: boolean;
  /** Not listed unless its toolset is requested; it can still be called. */
  readonly quiet: boolean;
  /** How to undo it, reported after the call. */
  readonly undo: string | null;
}

/** A tool file: a named GraphQL operation, a description for the model, properties. */
export interface ToolFile extends ToolTraits {
  readonly name: string;
  readonly description: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The document without `@tool`, for the engine. */
  readonly text: string;
}

const TRAITS = ['title', 'toolset', 'destructive', 'idempotent', 'quiet', 'undo'];

/**
 * Reads a tool file: comment lines (the description), then one operation whose name is the tool's. Throws an Error that
 * names the file and the problem: tools are part of the server, which must not start with an invalid one.
 */
export function readToolFile(schema: GraphQLSchema, fileName: string, text: string): ToolFile {
  const error = (what: string) => new Error(`${fileName}: ${what}`);
  const parsed = parse(new Source(text, fileName));
  const operations = parsed.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [declared] = operations;
  if (!declared || operations.length > 1) throw error('holds exactly one operation.');
  const name = declared.name?.value ?? '';
  if (`${name}.graphql` !== fileName) throw error(`its operation is named ${name}; it has to be named as the file.`);
  if (declared.operation === 'subscription') throw error('a tool answers once: use a query or a mutation.');
  const directive = declared.directives?.find((each) => each.name.value === 'tool');
  if (!directive) throw error('its operation lacks @tool(title:, toolset:).');
  const operation = { ...declared, directives: declared.directives?.filter((each) => each !== directive) ?? [] };
  const document = {
    ...parsed,
    definitions: parsed.definitions.map((definition) => (definition === declared ? operation : definition)),
  };
  const [invalid] = validate(schema, document);
  if (invalid) throw error(invalid.message);
  const description = leadingComment(text);
  if (description === '') throw error('must begin with a comment that describes the tool to the model.');
  return { ...traitsOf(directive, error), name, description, document, operation, text: print(document) };
}

function traitsOf(directive: DirectiveNode, error: (what: string) => Error): ToolTraits {
  const given = Object.fromEntries(
    (directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );
  const unknown = Object.keys(given).find((name) => !TRAITS.includes(name));
  if (unknown !== undefined) throw error(`@tool has no ${unknown}.`);
  const { title, destructive = false, idempotent = false, quiet = false, undo = null } = given;
  const toolset = TOOLSETS.find((each) => each === given['toolset']);
  if (typeof title !== 'string' || !toolset)
    throw error(`@tool needs a title and one of the toolsets ${TOOLSETS.join(', ')}.`);
  return {
    title,
    toolset,
    destructive: destructive === true,
    idempotent: idempotent === true,
    quiet: quiet === true,
    undo: typeof undo === 'string' ? undo : null,
  };
}

/** The leading comment lines of a file, as paragraphs. */
function leadingComment(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    lines.push(line.slice(1).trim());
  }
  return lines.join(' ').trim();
}
