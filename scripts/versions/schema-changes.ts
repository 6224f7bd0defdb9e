import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isSpecifiedScalarType,
  isUnionType,
  print,
} from 'graphql';
import { isNarrowerOutput, isWiderInput, kindOf, reachableFrom } from './type-comparison.ts';

/** What a change is to readers of a changelog. */
export type ChangeKind = 'added' | 'changed' | 'deprecated' | 'removed';
/**
 * `breaking`: a correct request or program can fail. `dangerous`: a program that takes what it knows for all there is
 * can misbehave. `safe`: all others.
 */
export type Severity = 'breaking' | 'dangerous' | 'safe';

export interface SchemaChange {
  readonly kind: ChangeKind;
  readonly severity: Severity;
  /** `Type`, `Type.field`, `Type.field(argument:)`. */
  readonly element: string;
  /** What happened to it, as Markdown; empty if the kind says all. */
  readonly detail: string;
}

/** The change as one line of Markdown, without marks. */
export function describeChange({ kind, element, detail }: SchemaChange): string {
  return `${element} ${kind}${detail === '' ? '' : `: ${detail}`}`;
}

/** Every difference of two schemas that their users can notice, by element. Descriptions do not count. */
export function schemaChanges(before: GraphQLSchema, after: GraphQLSchema): SchemaChange[] {
  const comparison = new Comparison(reachableFrom(after));
  comparison.types(before, after);
  return comparison.changes.sort((a, b) => (a.element === b.element ? 0 : a.element < b.element ? -1 : 1));
}

class Comparison {
  readonly changes: SchemaChange[] = [];
  /** Types that responses can contain. */
  readonly #outputs: ReadonlySet<string>;

  constructor(outputs: ReadonlySet<string>) {
    this.#outputs = outputs;
  }

  types(before: GraphQLSchema, after: GraphQLSchema): void {
    const [old, now] = [ownTypes(before), ownTypes(after)];
    this.#members(old, now, {
      name: (name) => name,
      added: (type) => ({ severity: 'safe', detail: kindOf(type) }),
      removed: (type) => ({ severity: 'breaking', detail: kindOf(type) }),
      kept: (type, later) => this.#type(type, later),
    });
  }

  #type(before: GraphQLNamedType, after: GraphQLNamedType): void {
    const [earlier, later] = [kindOf(before), kindOf(after)];
    if (earlier !== later) this.#note('changed', 'breaking', after.name, `${later}, was ${earlier}`);
    else if (isEnumType(before) && isEnumType(after)) this.#enum(before, after);
    else if (isInputObjectType(before) && isInputObjectType(after)) this.#input(before, after);
    else if (isUnionType(before) && isUnionType(after)) this.#union(before, after);
    else if (isObjectType(before) && isObjectType(after)) this.#composite(before, after);
    else if (isInterfaceType(before) && isInterfaceType(after)) this.#composite(before, after);
  }

  #composite(before: GraphQLObjectType | GraphQLInterfaceType, after: GraphQLObjectType | GraphQLInterfaceType): void {
    const interfaces = (type: typeof before) => byName(type.getInterfaces());
    this.#members(interfaces(before), interfaces(after), {
      name: (name) => `${after.name} implements ${name}`,
      added: () => ({ severity: isInterfaceType(after) ? 'safe' : 'dangerous', detail: '' }),
      removed: () => ({ severity: 'breaking', detail: '' }),
    });
    this.#members(byName(Object.values(before.getFields())), byName(Object.values(after.getFields())), {
      name: (name) => `${after.name}.${name}`,
      added: (field) => ({ severity: 'safe', detail: code(field.type) }),
      removed: (field) => ({ severity: 'breaking', detail: code(field.type) }),
      kept: (field, later) => this.#field(`${after.name}.${field.name}`, field, later),
    });
  }

  #field(path: string, before: GraphQLField<unknown, unknown>, after: GraphQLField<unknown, unknown>): void {
    if (String(before.type) !== String(after.type)) {
      const severity = isNarrowerOutput(before.type, after.type) ? 'safe' : 'breaking';
      this.#note('changed', severity, path, was(before.type, after.type));
    }
    this.#inputs(byName(before.args), byName(after.args), (name) => `${path}(${name}:)`);
  }

  #input(before: GraphQLInputObjectType, after: GraphQLInputObjectType): void {
    const fields = (type: GraphQLInputObjectType) => byName(Object.values(type.getFields()));
    this.#inputs(fields(before), fields(after), (name) => `${after.name}.${name}`);
  }

  #inputs<Input extends GraphQLArgument | GraphQLInputField>(
    before: ReadonlyMap<string, Input>,
    after: ReadonlyMap<string, Input>,
    name: (name: string) => string,
  ): void {
    this.#members(before, after, {
      name,
      added: (input) => {
        const isRequired = isRequiredArgument(input) || isRequiredInputField(input);
        return {
          severity: isRequired ? 'breaking' : 'safe',
          detail: `${code(input.type)}${isRequired ? ', required' : ''}`,
        };
      },
      removed: (input) => ({ severity: 'breaking', detail: code(input.type) }),
      kept: (input, later) => this.#value(name(input.name), input, later),
    });
  }

  #value(path: string, before: GraphQLArgument | GraphQLInputField, after: GraphQLArgument | GraphQLInputField): void {
    if (String(before.type) !== String(after.type)) {
      const severity = isWiderInput(before.type, after.type) ? 'safe' : 'breaking';
      this.#note('changed', severity, path, was(before.type, after.type));
    }
    const [earlier, later] = [defaultOf(before), defaultOf(after)];
    if (earlier !== later) this.#note('changed', 'breaking', path, `default ${was(earlier, later)}`);
  }

  #enum(before: GraphQLEnumType, after: GraphQLEnumType): void {
    this.#members(byName(before.getValues()), byName(after.getValues()), {
      name: (name) => `${after.name}.${name}`,
      added: () => ({ severity: this.#outputs.has(after.name) ? 'dangerous' : 'safe', detail: '' }),
      removed: () => ({ severity: 'breaking', detail: '' }),
    });
  }

  #union(before: GraphQLUnionType, after: GraphQLUnionType): void {
    this.#members(byName(before.getTypes()), byName(after.getTypes()), {
      name: (name) => `${after.name} = ${name}`,
      added: () => ({ severity: 'dangerous', detail: '' }),
      removed: () => ({ severity: 'breaking', detail: '' }),
    });
  }

  #members<Member extends object>(
    before: ReadonlyMap<string, Member>,
    after: ReadonlyMap<string, Member>,
    rules: MemberRules<Member>,
  ): void {
    for (const [name, member] of after) {
      const earlier = before.get(name);
      if (!earlier) {
        const { severity, detail } = rules.added(member);
        this.#note('added', severity, rules.name(name), detail);
      } else rules.kept?.(earlier, member);
      this.#deprecation(rules.name(name), earlier, member);
    }
    for (const [name, member] of before) {
      if (after.has(name)) continue;
      const { severity, detail } = rules.removed(member);
      this.#note('removed', severity, rules.name(name), detail);
    }
  }

  #deprecation(path: string, before: object | undefined, after: object): void {
    const [earlier, later] = [reasonOf(before), reasonOf(after)];
    if (earlier === later) return;
    if (later === null) this.#note('changed', 'safe', path, 'not deprecated any more');
    else this.#note('deprecated', 'safe', path, later);
  }

  #note(kind: ChangeKind, severity: Severity, element: string, detail: string): void {
    this.changes.push({ kind, severity, element, detail });
  }
}

interface MemberRules<Member> {
  readonly name: (name: string) => string;
  readonly added: (member: Member) => { readonly severity: Severity; readonly detail: string };
  readonly removed: (member: Member) => { readonly severity: Severity; readonly detail: string };
  readonly kept?: (before: Member, after: Member) => void;
}

function code(value: unknown): string {
  return `\`${String(value)}\``;
}

function was(before: unknown, after: unknown): string {
  return `${code(after)}, was ${code(before)}`;
}

function ownTypes(schema: GraphQLSchema): Map<string, GraphQLNamedType> {
  const types = Object.values(schema.getTypeMap());
  return byName(types.filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type)));
}

function byName<Named extends { readonly name: string }>(members: readonly Named[]): Map<string, Named> {
  return new Map(members.map((member) => [member.name, member]));
}

function reasonOf(element: object | undefined): string | null {
  const reason = element && 'deprecationReason' in element ? element.deprecationReason : null;
  return typeof reason === 'string' ? reason : null;
}

function defaultOf({ defaultValue, type }: GraphQLArgument | GraphQLInputField): string {
  const node = defaultValue === undefined ? null : astFromValue(defaultValue, type);
  return node ? print(node) : 'none';
}
