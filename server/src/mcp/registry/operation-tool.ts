import type { CallToolResult } from '@modelcontextprotocol/server';
import { type GraphQLSchema, Kind } from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import type { Access } from '../../kernel/permissions.ts';
import { runOperation, type ToolEngine } from '../session/caller.ts';
import type { AgentWords } from './agent-words.ts';
import type { JsonSchema } from './json-schema.ts';
import { isObject } from './result-shape.ts';
import type { Tool, ToolCall } from './tool.ts';
import type { ToolFile } from './tool-file.ts';
import { operationResult, refusedWith } from './tool-result.ts';
import { argumentsSchema, resultSchema } from './tool-schemas.ts';
import { didYouMean } from './words.ts';

export interface ToolOptions {
  readonly engine: ToolEngine;
  readonly baseUrl: string;
}

export interface OperationToolOptions extends ToolOptions {
  /** Of all tools. */
  readonly words: AgentWords;
}

/** A tool that is a named GraphQL operation: its schemas, annotations and permission all come from the operation. */
export function operationTool(file: ToolFile, options: OperationToolOptions): Tool {
  const { engine, words } = options;
  const inputSchema = argumentsSchema(engine.schema, file);
  const isReadOnly = file.operation.operation === 'query';
  return {
    definition: {
      name: file.name,
      title: file.title,
      description: file.description,
      // The protocol types JSON Schema as an open record.
      inputSchema: inputSchema as Tool['definition']['inputSchema'],
      outputSchema: resultSchema(engine.schema, file) as Tool['definition']['outputSchema'],
      annotations: annotationsOf({ ...file, isReadOnly }),
    },
    toolset: file.toolset,
    isQuiet: file.quiet,
    isReadOnly,
    isDestructive: file.destructive,
    access: accessOf(engine.schema, file),
    call: async (call) =>
      refuseUnknown(file.name, Object.keys(inputSchema.properties ?? {}), call, options) ??
      refuseMissing(file.name, inputSchema.required ?? [], call, options) ??
      refuseUnknownValue(inputSchema, call, options) ??
      operationResult(
        words.result(
          await runOperation(engine, call.caller, {
            query: file.text,
            variables: call.arguments,
            queriesOnly: isReadOnly,
          }),
          file,
        ),
        file.undo,
      ),
  };
}

export function annotationsOf({
  isReadOnly,
  destructive,
  idempotent,
}: {
  isReadOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
}) {
  return isReadOnly
    ? { readOnlyHint: true, openWorldHint: false }
    : { destructiveHint: destructive, idempotentHint: idempotent, openWorldHint: false };
}

/** Required permissions of the root fields. */
function accessOf(schema: GraphQLSchema, { operation }: ToolFile): Access[] {
  const root = operation.operation === 'query' ? schema.getQueryType() : schema.getMutationType();
  return operation.selectionSet.selections.flatMap((selection) => {
    const field = selection.kind === Kind.FIELD ? root?.getFields()[selection.name.value] : undefined;
    // The schema build has checked that it is stated.
    return field ? [field.extensions.access as Access] : [];
  });
}

/** GraphQL would ignore misspelled arguments without an error. */
export function refuseUnknown(
  name: string,
  known: readonly string[],
  { arguments: given }: ToolCall,
  { baseUrl }: ToolOptions,
): CallToolResult | null {
  const unknown = Object.keys(given).find((each) => !known.includes(each));
  if (unknown === undefined) return null;
  const error = new AppError(
    'INVALID_INPUT',
    `The tool ${name} has no argument ${JSON.stringify(unknown.slice(0, 80))}.`,
    {
      field: unknown.slice(0, 80),
      suggestedFix:
        known.length === 0
          ? 'Call it without arguments.'
          : `${didYouMean(unknown, known)}Its arguments are ${known.join(', ')}.`,
    },
  );
  return refusedWith(error, baseUrl);
}

/** Lists the values of an enum; the API's own error names the enum only. */
function refuseUnknownValue(
  schema: JsonSchema,
  { arguments: given }: ToolCall,
  { baseUrl }: ToolOptions,
): CallToolResult | null {
  const unknown = unknownValue(schema, given, '');
  if (unknown === null) return null;
  const { field, value, values } = unknown;
  const sent = JSON.stringify(value).slice(0, 80);
  const similar = typeof value === 'string' ? didYouMean(value.toUpperCase(), values) : '';
  const error = new AppError('INVALID_INPUT', `${sent} is not a value of ${field}.`, {
    field,
    suggestedFix: `${similar}Send ${values.join(', ')}.`,
  });
  return refusedWith(error, baseUrl);
}

/** The first value in `given` that is not in the enum of its schema, with its path. */
function unknownValue(
  schema: JsonSchema,
  given: unknown,
  field: string,
): { field: string; value: unknown; values: readonly string[] } | null {
  if (given === null || given === undefined) return null;
  const { items, properties = {}, enum: values, anyOf = [] } = schema;
  if (values) return values.includes(given) ? null : { field, value: given, values: values.map(String) };
  const parts: [JsonSchema, unknown, string][] = anyOf.map((each) => [each, given, field]);
  if (items && Array.isArray(given))
    for (const [at, each] of given.entries()) parts.push([items, each, `${field}[${at}]`]);
  if (isObject(given))
    for (const [name, each] of Object.entries(properties))
      parts.push([each, given[name], field === '' ? name : `${field}.${name}`]);
  for (const [inner, value, place] of parts) {
    const found = unknownValue(inner, value, place);
    if (found) return found;
  }
  return null;
}

/** Where an agent finds the value of an argument. */
const SOURCES: Readonly<Record<string, string>> = {
  channel: 'Take channel from get_me, or from search.',
  contentId: 'Take contentId from list_my_contents, search or the call that created the content.',
  contentIds: 'Take contentIds from list_my_contents or search.',
  id: 'Take id from list_my_contents, search or the call that created it.',
  ids: 'Take ids from a list, such as list_my_contents, list_comments or list_held_comments.',
  parent: 'Take parent from create_season or create_series, or from list_my_contents.',
  series: 'Take series from create_series or list_my_contents.',
  playlistId: 'Take playlistId from get_channel, search or create_playlist.',
};

function refuseMissing(
  name: string,
  required: readonly string[],
  { arguments: given }: ToolCall,
  { baseUrl }: ToolOptions,
): CallToolResult | null {
  const missing = required.find((each) => given[each] === undefined || given[each] === null);
  if (missing === undefined) return null;
  const suggestedFix = SOURCES[missing] ?? `Send ${missing}.`;
  const error = new AppError('FIELD_REQUIRED', `The tool ${name} needs ${missing}.`, { field: missing, suggestedFix });
  return refusedWith(error, baseUrl);
}
