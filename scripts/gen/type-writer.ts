import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  typeFromAST,
} from 'graphql';
import { groupsOf } from './selected-fields.ts';

/** How types are written. */
export interface TypeStyle {
  /** TypeScript type by scalar. */
  readonly scalars: Readonly<Record<string, string>>;
  /** Name of the type of a fragment. */
  readonly fragmentName: (name: string) => string;
  /** Whether a selection that is one fragment of just this type is called by the fragment's name. */
  readonly shareFragments: boolean;
  /** Whether the schema's descriptions become docstrings. */
  readonly describe: boolean;
}

/**
 * Writes variables and results of operations as TypeScript: exactly the selected fields, fragments merged, interfaces
 * as unions where a selection depends on the concrete type. Expects validated documents.
 */
export class TypeWriter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #style: TypeStyle;
  readonly #named = new Map<string, string>();

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>, style: TypeStyle) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#style = style;
  }

  /** Enums and inputs that the written types mention, in name order. */
  namedTypes(): string[] {
    return [...this.#named.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  }

  fragment(node: FragmentDefinitionNode): string {
    const on = this.#schema.getType(node.typeCondition.name.value);
    if (!isCompositeType(on)) throw new Error(`${node.name.value} is not on a composite type`);
    const name = this.#style.fragmentName(node.name.value);
    return `${this.#doc(on.description, '')}export type ${name} = ${this.#composite(on, [node.selectionSet], '')};\n`;
  }

  /** The type of the variables; null when there are none. */
  variables(node: OperationDefinitionNode): string | null {
    const lines = (node.variableDefinitions ?? []).map((definition) => {
      const optional = definition.type.kind !== Kind.NON_NULL_TYPE || definition.defaultValue !== undefined;
      return `  readonly ${given(definition.variable.name.value, this.#variable(definition.type), optional)};`;
    });
    return lines.length > 0 ? `{\n${lines.join('\n')}\n}` : null;
  }

  /** The type of the data. */
  result(node: OperationDefinitionNode): string {
    const root = this.#schema.getRootType(node.operation);
    if (!root) throw new Error(`The schema has no ${node.operation}`);
    return this.#composite(root, [node.selectionSet], '');
  }

  /** The type of a value that programs pass. */
  inputType(type: GraphQLInputType): string {
    return this.#input(type);
  }

  /** The type of a value that the platform returns: a scalar, an enum, or lists of them. */
  leafType(type: GraphQLOutputType): string {
    return this.#output(type, [], '');
  }

  /** Enums and inputs that the written types mention, by name. */
  get named(): ReadonlyMap<string, string> {
    return this.#named;
  }

  #variable(node: TypeNode): string {
    const type = typeFromAST(this.#schema, node as never); // the overloads of typeFromAST do not take the union
    return this.#input(type as unknown as GraphQLInputType);
  }

  #input(type: GraphQLInputType): string {
    if (isNonNullType(type)) return this.#inputNonNull(type.ofType);
    return `${this.#inputNonNull(type)} | null`;
  }

  #inputNonNull(type: GraphQLInputType): string {
    if (isListType(type)) return `readonly (${this.#input(type.ofType)})[]`;
    const named = getNamedType(type);
    if (isInputObjectType(named) && !this.#named.has(named.name)) {
      this.#named.set(named.name, ''); // inputs may refer to themselves
      const fields = Object.values(named.getFields()).map((field) => {
        const optional = !isNonNullType(field.type) || field.defaultValue !== undefined;
        return (
          `${this.#doc(field.description, '  ')}  readonly ` +
          `${given(field.name, this.#input(field.type), optional)};`
        );
      });
      this.#named.set(
        named.name,
        `${this.#doc(named.description, '')}export interface ${named.name} {\n${fields.join('\n')}\n}\n`,
      );
    }
    return this.#leaf(named);
  }

  #leaf(type: { readonly name: string }): string {
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name }) => `'${name}'`);
      this.#named.set(
        type.name,
        `${this.#doc(type.description, '')}export type ${type.name} = ${values.join(' | ')};\n`,
      );
      return type.name;
    }
    if (isInputObjectType(type)) return type.name;
    const scalar = this.#style.scalars[type.name];
    if (!scalar) throw new Error(`No TypeScript type is known for the scalar ${type.name}`);
    return scalar;
  }

  #output(type: GraphQLOutputType, sets: SelectionSetNode[], indent: string): string {
    if (isNonNullType(type)) return this.#outputNonNull(type.ofType, sets, indent);
    return `${this.#outputNonNull(type, sets, indent)} | null`;
  }

  #outputNonNull(type: GraphQLOutputType, sets: SelectionSetNode[], indent: string): string {
    if (isListType(type)) return `readonly (${this.#output(type.ofType, sets, indent)})[]`;
    const named = getNamedType(type);
    return isCompositeType(named) ? this.#composite(named, sets, indent) : this.#leaf(named);
  }

  /** One object type, or for an interface a union with one member per group of types that are selected alike. */
  #composite(type: GraphQLCompositeType, sets: SelectionSetNode[], indent: string): string {
    const shared = this.#sharedFragment(type, sets);
    if (shared !== null) return shared;
    const members = groupsOf(this.#schema, this.#fragments, type, sets).map(({ names, selected }) => {
      const inner = `${indent}  `;
      const literal = names.map((name) => `'${name}'`).join(' | ');
      const lines = [
        ...selected.typenames.map((alias) => `${inner}readonly ${alias}: ${literal};`),
        ...[...selected.fields].map(
          ([key, field]) =>
            `${this.#doc(field.description, inner)}${inner}readonly ` +
            `${key}${field.optional ? '?' : ''}: ${this.#output(field.type, field.sets, inner)};`,
        ),
      ];
      return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : 'Record<string, never>';
    });
    return members.length > 1 ? `(${members.join(' | ')})` : (members[0] ?? 'never');
  }

  /** The name of the fragment that is all of a selection, where it is one. */
  #sharedFragment(type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): string | null {
    const [only] = sets.length === 1 ? (sets[0]?.selections ?? []) : [];
    if (!this.#style.shareFragments || only?.kind !== Kind.FRAGMENT_SPREAD || sets[0]?.selections.length !== 1)
      return null;
    const on = this.#fragments.get(only.name.value)?.typeCondition.name.value;
    return on === type.name ? this.#style.fragmentName(only.name.value) : null;
  }

  #doc(description: string | null | undefined, indent: string): string {
    return this.#style.describe && description ? docstring(description, indent) : '';
  }
}

/** A docstring of one line, with its line break; '' without text. */
export function docstring(text: string, indent: string): string {
  return `${indent}/** ${text.trim().replace(/\s+/g, ' ').replaceAll('*/', '* /')} */\n`;
}

/** A member that programs write: what is optional may be undefined too, which is not sent. */
function given(name: string, type: string, optional: boolean): string {
  return optional ? `${name}?: ${type} | undefined` : `${name}: ${type}`;
}
