import type { CallToolResult } from '@modelcontextprotocol/server';
import type { GraphQLSchema } from 'graphql';
import { Kind } from 'graphql';
import { AppError, errorExtensions } from '../../kernel/errors.ts';
import type { Access } from '../../kernel/permissions.ts';
import { runOperation, type ToolEngine } from '../session/caller.ts';
import type { Tool, ToolCall } from './tool.ts';
import type { ToolFile } from './tool-file.ts';
import { failedResult, operationResult } from './tool-result.ts';
import { argumentsSchema, resultSchema } from './tool-schemas.ts';

export interface ToolOptions {
  readonly engine: ToolEngine;
  readonly baseUrl: string;
}

/** A tool that is a named GraphQL operation: its schemas, annotations and permission all come from the operation. */
export function operationTool(file: ToolFile, options: ToolOptions): Tool {
  const { engine } = options;
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
      operationResult(
        await runOperation(engine, call.caller, {
          query: file.text,
          variables: call.arguments,
          queriesOnly: isReadOnly,
        }),
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
    return field ? [field.extensions['access'] as Access] : [];
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
      suggestedFix: known.length === 0 ? 'Call it without arguments.' : `Its arguments are ${known.join(', ')}.`,
    },
  );
  return failedResult([{ message: error.message, extensions: { ...errorExtensions(error, baseUrl) } }]);
}
