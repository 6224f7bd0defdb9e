import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** Literal arguments by `Type.field`, as between the field's parentheses: `id: "did:…"`. */
export type Examples = Readonly<Record<string, string>>;

/** Minimal selection of a field's type. */
export function smallestSelection(type: GraphQLOutputType): string {
  const named = getNamedType(type);
  if (isConnection(named.name))
    return ' { totalCount pageInfo { hasNextPage endCursor } edges { cursor node { __typename } } }';
  const error = errorOfEach(named);
  if (error) {
    const fields = ['code', 'field', 'message', 'suggestedFix'].filter((name) => name in error.getFields());
    return ` { results { error { ${fields.join(' ')} } } }`;
  }
  return 'getFields' in named || 'getTypes' in named ? ' { __typename }' : '';
}

/** Of the payload of a bulk mutation, which has a result for each entry: the type of their errors. */
function errorOfEach(type: GraphQLNamedType): GraphQLObjectType | null {
  const results = isObjectType(type) ? type.getFields()['results'] : undefined;
  const result = results && getNamedType(results.type);
  const error = isObjectType(result) ? getNamedType(result.getFields()['error']?.type) : undefined;
  return isObjectType(error) && error.getFields()['code'] !== undefined ? error : null;
}

/** Every field that is a list, as `Type.field`. */
export function everyConnection(schema: GraphQLSchema): string[] {
  const roots = [schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !roots.includes(type)
      ? Object.values(type.getFields())
          .filter((field) => isConnection(getNamedType(field.type).name))
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );
}

/**
 * A query for the field called `Type.field` by the shortest way to its type; null when the examples lack its arguments.
 */
export function queryReaching(schema: GraphQLSchema, name: string, examples: Examples): string | null {
  const [typeName = '', fieldName = ''] = name.split('.');
  const type = schema.getType(typeName);
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
  const way = wayTo(schema, typeName, examples);
  const call = field && calledBy(name, field, examples);
  if (!field || !way || !call) return null;
  return `{ ${[...way, call].join(' { ')}${smallestSelection(field.type)}${' }'.repeat(way.length + 1)}`;
}

/** Breadth-first search from Query: the fields that lead to a type. */
function wayTo(schema: GraphQLSchema, typeName: string, examples: Examples): string[] | null {
  const query = schema.getQueryType();
  if (!query) return null;
  const ways = new Map<string, string[]>([[query.name, []]]);
  const queue = [query];
  for (let type = queue.shift(); type && !ways.has(typeName); type = queue.shift()) {
    for (const field of Object.values(type.getFields())) {
      const target = getNamedType(field.type);
      const call = calledBy(`${type.name}.${field.name}`, field, examples);
      if (!isObjectType(target) || ways.has(target.name) || call === null) continue;
      ways.set(target.name, [...(ways.get(type.name) ?? []), call]);
      queue.push(target);
    }
  }
  return ways.get(typeName) ?? null;
}

/** The field with its example arguments; null when they are required but unknown. */
function calledBy(name: string, field: GraphQLField<unknown, unknown>, examples: Examples): string | null {
  const given = examples[name];
  if (given !== undefined) return given === '' ? field.name : `${field.name}(${given})`;
  if (field.args.some(isRequiredArgument)) return null;
  return isConnection(getNamedType(field.type).name) ? `${field.name}(first: 2)` : field.name;
}

function isConnection(name: string): boolean {
  return name.endsWith('Connection');
}
