import type { JsonSchema } from '../registry/json-schema.ts';
import type { Tool } from '../registry/tool.ts';

/** How a script calls a tool, as TypeScript: arguments and result, in as few characters as possible. */
export function toolSignature({ definition }: Tool): string {
  const { name, description = '', inputSchema, outputSchema } = definition;
  // Both are of the registry's own making.
  const [input, output] = [inputSchema as JsonSchema, outputSchema as JsonSchema | undefined];
  const needsNone = (input.required ?? []).length === 0;
  return (
    `/** ${description} */\n` +
    `tools.${name}(args${needsNone ? '?' : ''}: ${typeOf(input)}): Promise<${output ? resultType(output) : 'any'}>`
  );
}

/** A single root field is the whole result. */
function resultType(output: JsonSchema): string {
  const fields = Object.values(output.properties ?? {});
  const [only] = fields;
  return typeOf(only && fields.length === 1 ? only : output, true);
}

/** `isResult`: null fields are omitted, so all but lists of items are optional, which is not repeated everywhere. */
function typeOf(schema: JsonSchema, isResult = false): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, isResult)).join(' | ');
  switch (schema.type) {
    case 'array':
      return `${inBrackets(typeOf(schema.items ?? {}, isResult))}[]`;
    case 'object':
      return schema.properties ? objectType(schema, isResult) : 'object';
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'any';
  }
}

function objectType({ properties = {}, required = [] }: JsonSchema, isResult: boolean): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${name}${isResult || required.includes(name) ? '' : '?'}: ${typeOf(schema, isResult)}` +
      `${name === 'next' && isResult ? ' | undefined' : ''}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
}

function inBrackets(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;
}
