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
export const TOOLSETS = ['account', 'publish', 'catalog', 'playlists', 'social', 'moderation', 'analytics', 'graphql'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** What a tool file says of its tool, in the directive `@tool` of its operation. */
export interface ToolTraits {
  /** Name for people. */
  readonly title: string;
  readonly toolset: Toolset;
  /** Removes something, or takes it from others' eyes: people are asked first where their client can ask. */
  readonly destructive: boolean;
  /** Calling it again with the same arguments changes nothing more. */
  readonly idempotent: boolean;
  /** Not listed unless its toolset is asked for; it can be called all the same. */
  readonly quiet: boolean;
  /** How to take it back, told after it was done. */
  readonly undo: string | null;
}

/** A tool as its file tells it: one named GraphQL operation, a description for the model, traits. */
export interface ToolFile extends ToolTraits {
  readonly name: string;
  readonly description: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The document without `@tool`, as the engine gets it. */
  readonly text: string;
}

const TRAITS = ['title', 'toolset', 'destructive', 'idempotent', 'quiet', 'undo'];

/**
 * Reads a tool file: comment lines (the description), then one operation whose name is the tool's. Throws an Error that names the
 * file and the fault: tools are written by us, a wrong one must not start.
 */
export function readToolFile(schema: GraphQLSchema, fileName: string, text: string): ToolFile {
  const fault = (what: string) => new Error(`${fileName}: ${what}`);
  const parsed = parse(new Source(text, fileName));
  const operations = parsed.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [declared] = operations;
  if (!declared || operations.length > 1) throw fault('holds exactly one operation.');
  const name = declared.name?.value ?? '';
  if (`${name}.graphql` !== fileName) throw fault(`its operation is named ${name}; it has to be named as the file.`);
  if (declared.operation === 'subscription') throw fault('a tool answers once: use a query or a mutation.');
  const directive = declared.directives?.find((each) => each.name.value === 'tool');
  if (!directive) throw fault('its operation lacks @tool(title:, toolset:).');
  const operation = { ...declared, directives: declared.directives?.filter((each) => each !== directive) ?? [] };
  const document = {
    ...parsed,
    definitions: parsed.definitions.map((definition) => (definition === declared ? operation : definition)),
  };
  const [invalid] = validate(schema, document);
  if (invalid) throw fault(invalid.message);
  const description = leadingComment(text);
  if (description === '') throw fault('begins with a comment that tells the model what it is for.');
  return { ...traitsOf(directive, fault), name, description, document, operation, text: print(document) };
}

function traitsOf(directive: DirectiveNode, fault: (what: string) => Error): ToolTraits {
  const given = Object.fromEntries((directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]));
  const unknown = Object.keys(given).find((name) => !TRAITS.includes(name));
  if (unknown !== undefined) throw fault(`@tool has no ${unknown}.`);
  const { title, destructive = false, idempotent = false, quiet = false, undo = null } = given;
  const toolset = TOOLSETS.find((each) => each === given['toolset']);
  if (typeof title !== 'string' || !toolset) throw fault(`@tool needs a title and one of the toolsets ${TOOLSETS.join(', ')}.`);
  return {
    title,
    toolset,
    destructive: destructive === true,
    idempotent: idempotent === true,
    quiet: quiet === true,
    undo: typeof undo === 'string' ? undo : null,
  };
}

/** The comment lines a file begins with, as paragraphs. */
function leadingComment(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    lines.push(line.slice(1).trim());
  }
  return lines.join(' ').trim();
}
