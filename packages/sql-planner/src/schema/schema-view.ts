import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLEnumValue,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import { type Lifecycle, lifecycleOf } from './lifecycle.ts';

export type Hides = (lifecycle: Lifecycle) => boolean;

/** What a view of a schema has: all but what `hides` applies to and what cannot exist without it. */
export class SchemaView {
  readonly #hides: Hides;
  readonly #hidden = new Set<string>();
  readonly isWhole: boolean;

  constructor(schema: GraphQLSchema, hides: Hides) {
    this.#hides = hides;
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    );
    for (const type of types) if (this.#isHidden(type)) this.#hidden.add(type.name);
    while (types.some((type) => this.#hideIfEmpty(type)));
    this.isWhole = types.every((type) => this.#isUntouched(type));
  }

  hasType({ name }: GraphQLNamedType): boolean {
    return !this.#hidden.has(name);
  }

  hasField(field: GraphQLField<unknown, unknown>): boolean {
    if (this.#isHidden(field) || !this.hasType(getNamedType(field.type))) return false;
    return field.args.every(
      (arg) => !isRequiredArgument(arg) || this.#isHidden(arg) || this.hasType(getNamedType(arg.type)),
    );
  }

  hasInput(input: GraphQLArgument | GraphQLInputField): boolean {
    return !this.#isHidden(input) && this.hasType(getNamedType(input.type));
  }

  hasValue(value: GraphQLEnumValue): boolean {
    return !this.#isHidden(value);
  }

  hasAllValues(type: GraphQLEnumType): boolean {
    return type.getValues().every((value) => this.hasValue(value));
  }

  #isHidden(element: Parameters<typeof lifecycleOf>[0]): boolean {
    const lifecycle = lifecycleOf(element);
    return lifecycle !== null && this.#hides(lifecycle);
  }

  /** True if the type was hidden now. */
  #hideIfEmpty(type: GraphQLNamedType): boolean {
    if (!this.hasType(type) || !this.#isEmpty(type)) return false;
    this.#hidden.add(type.name);
    return true;
  }

  #isEmpty(type: GraphQLNamedType): boolean {
    if (isObjectType(type) || isInterfaceType(type))
      return !Object.values(type.getFields()).some((field) => this.hasField(field));
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      const isUnusable = (field: GraphQLInputField) =>
        isRequiredInputField(field) && !this.#isHidden(field) && !this.hasType(getNamedType(field.type));
      return fields.some(isUnusable) || !fields.some((field) => this.hasInput(field));
    }
    if (isEnumType(type)) return !type.getValues().some((value) => this.hasValue(value));
    return isUnionType(type) && !type.getTypes().some((member) => this.hasType(member));
  }

  #isUntouched(type: GraphQLNamedType): boolean {
    if (!this.hasType(type)) return false;
    if (isObjectType(type) || isInterfaceType(type))
      return Object.values(type.getFields()).every(
        (field) => this.hasField(field) && field.args.every((arg) => this.hasInput(arg)),
      );
    if (isInputObjectType(type)) return Object.values(type.getFields()).every((field) => this.hasInput(field));
    return !isEnumType(type) || this.hasAllValues(type);
  }
}
