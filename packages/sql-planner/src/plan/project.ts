import {
  type GraphQLOutputType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { propertyKey, responseKey } from '../documents/response-keys.ts';
import { objectLiteral, typeNameProperty } from '../rows/object-literal.ts';
import type { Projection, ShapeState } from '../rows/shape.ts';
import { TYPE_NAME, typeNameOf } from '../schema/type-name.ts';
import { collect, type ReadableDocument } from './selection.ts';

/** The projection of values of a type to the selected fields. */
export function projectionOf(
  document: ReadableDocument,
  type: GraphQLOutputType,
  sets: readonly SelectionSetNode[],
): Projection {
  if (isNonNullType(type)) {
    const inner = projectionOf(document, type.ofType, sets);
    return (value, state) => inner(value, state) ?? state.missing();
  }
  if (isListType(type)) {
    const inner = projectionOf(document, type.ofType, sets);
    return (value, state) => (Array.isArray(value) ? value.map((item) => inner(item, state)) : absent(value, state));
  }
  if (isLeafType(type)) return (value) => value ?? null;
  const types = isObjectType(type) ? [type] : isInterfaceType(type) ? document.schema.getPossibleTypes(type) : [];
  const objects = new Map(
    types.map((each) => [each.name, objectProjection(document, each.name, sets, !isObjectType(type))]),
  );
  const [only] = objects.values();
  if (only && isObjectType(type)) return only;
  return (value, state) => {
    if (value == null) return null;
    const object = objects.get(nameOf(value));
    return object ? object(value, state) : state.missing();
  };
}

/** Rows have their type name under a symbol, plain objects under `__typename`. */
function nameOf(value: { readonly [TYPE_NAME]?: string; readonly __typename?: string }): string {
  return typeNameOf(value) ?? value.__typename ?? '';
}

/** The result for a value that is not a list: null, and an error of graphql-js unless the value is null. */
function absent(value: unknown, state: ShapeState): null {
  return value == null ? null : state.missing();
}

function objectProjection(
  document: ReadableDocument,
  name: string,
  sets: readonly SelectionSetNode[],
  isNamed: boolean,
): Projection {
  const type = document.schema.getType(name);
  if (!isObjectType(type)) throw new TypeError(`${name} is no object type`);
  const below: Projection[] = [];
  const parts: Array<[name: string, text: string]> = [];
  for (const [key, { field, node, below: selected }] of collect(document, type, sets, responseKey)) {
    const property = `value[${JSON.stringify(propertyKey(node))}]`;
    const read = () => `below[${below.push(projectionOf(document, field.type, selected)) - 1}](${property},state)`;
    const text =
      field === TypeNameMetaFieldDef ? JSON.stringify(name) : isLeafType(field.type) ? `${property}??null` : read();
    parts.push([key, text]);
  }
  // Generated only from the names in the document, as JSON strings.
  const body = `return (value,state)=>value==null?null:${objectLiteral(parts, isNamed ? typeNameProperty(name) : '')}`;
  return new Function('below', 'TYPE_NAME', body)(below, TYPE_NAME) as Projection; // as generated
}
