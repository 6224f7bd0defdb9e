import {
  astFromValue,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isRequiredArgument,
  OperationTypeNode,
  print,
  stripIgnoredCharacters,
} from 'graphql';
import type { ErrorCode } from '../../kernel/errors.ts';
import { type Access, isForOperators, isPermission, PERMISSIONS } from '../../kernel/permissions.ts';
import type { DocPage, Section } from '../doc-page.ts';
import { lifecycleNotes, withNotes } from './lifecycle-notes.ts';
import { exampleKey, type OperationExample } from './operation-example.ts';
import { cell, paragraphs, table, typeLink } from './type-links.ts';

type RootField = GraphQLField<unknown, unknown>;

/** An operation and the address of its page. */
export interface Operation {
  readonly kind: OperationTypeNode;
  readonly field: RootField;
  readonly access: Access;
  readonly path: string;
}

const KINDS: readonly (readonly [kind: OperationTypeNode, folder: string, section: Section])[] = [
  [OperationTypeNode.QUERY, 'queries', 'Queries'],
  [OperationTypeNode.MUTATION, 'mutations', 'Mutations'],
  [OperationTypeNode.SUBSCRIPTION, 'subscriptions', 'Subscriptions'],
];

/** Every root field of the schema, by name. */
export function operationsOf(schema: GraphQLSchema): Operation[] {
  return KINDS.flatMap(([kind, folder]) =>
    Object.values(schema.getRootType(kind)?.getFields() ?? {})
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((field) => ({
        kind,
        field,
        // The schema build has checked that every root field states an access.
        access: field.extensions['access'] as Access,
        path: `/docs/api/${folder}/${field.name}`,
      })),
  );
}

/** A page for every root field: access, arguments, response, cost, errors and a recorded call. */
export function operationPages(
  schema: GraphQLSchema,
  examples: ReadonlyMap<string, OperationExample>,
  baseUrl: string,
): DocPage[] {
  return operationsOf(schema).map((operation) => {
    const { kind, field, path } = operation;
    const example = examples.get(exampleKey(kind, field.name));
    const markdown = paragraphs(
      `# ${field.name}`,
      field.description,
      lifecycleNotes(field) || null,
      facts(operation, example),
      '## Arguments',
      argumentTable(field) || 'None.',
      '## Response',
      `${typeLink(field.type)}. ${cell(getNamedType(field.type).description)}`,
      ...(example ? exampleBlocks(example, kind, baseUrl) : []),
      '## Errors',
      errorsOf(operation)
        .map((code) => `[${code}](/docs/errors/${code.toLowerCase()})`)
        .join(', '),
    );
    const section = KINDS.find(([each]) => each === kind)?.[2] ?? 'Queries';
    const tryIt = example && { kind, name: field.name, document: example.document, variables: example.variables };
    return { path, section, markdown, ...(tryIt ? { tryIt } : {}) };
  });
}

function facts({ kind, access }: Operation, example: OperationExample | undefined): string {
  const base = kind === OperationTypeNode.MUTATION ? '11 points' : '1 point';
  const measured = example ? `; the example at most ${example.cost}` : '';
  return (
    `* **Kind**: ${kind}\n* **Who may**: ${whoMay(access)}\n* **Cost**: ` +
    `${base} plus the selected fields${measured} ([limits](/docs/limits))`
  );
}

function whoMay(access: Access): string {
  if (access === 'public') return 'Anyone with a valid key or session';
  if (access === 'authenticated') return 'Every valid key, token, connected application or session';
  const { allows, role } = PERMISSIONS[access];
  if (isForOperators(access)) return `\`${access}\`: operators of the server, signed in`;
  const inChannel = role === null ? '' : `; on channels where the caller is ${role} or higher`;
  return `\`${access}\`: ${allows.charAt(0).toLowerCase()}${allows.slice(1)}${inChannel}`;
}

function argumentTable({ args }: RootField): string {
  return table(
    ['Name', 'Type', 'Meaning'],
    args.map((arg) => [
      `\`${arg.name}\``,
      `${typeLink(arg.type)}${arg.defaultValue === undefined ? '' : ` = \`${literal(arg.defaultValue, arg.type)}\``}`,
      cell(withNotes(arg)),
    ]),
  );
}

function literal(value: unknown, type: RootField['args'][number]['type']): string {
  const node = astFromValue(value, type);
  return node ? print(node) : '';
}

function exampleBlocks(
  { document, variables, answer }: OperationExample,
  kind: OperationTypeNode,
  baseUrl: string,
): string[] {
  const isStream = kind === OperationTypeNode.SUBSCRIPTION;
  const body = JSON.stringify({ query: stripIgnoredCharacters(document), variables });
  const accept = isStream ? ` \\\n  -H 'Accept: text/event-stream'` : '';
  const curl =
    `curl ${isStream ? '-N ' : ''}${baseUrl}/graphql \\\n  -H "Authorization: Bearer $KEY" -H 'Content-Type: ` +
    `application/json'${accept} \\\n  -d '${body.replaceAll("'", `'\\''`)}'`;
  return [
    '## Example',
    fenced('graphql', document.trim()),
    ...(Object.keys(variables).length === 0 ? [] : ['Variables:', fenced('json', JSON.stringify(variables, null, 2))]),
    'With curl:',
    fenced('sh', curl),
    ...(isStream
      ? ['Each message of the stream contains the current data of this selection.']
      : ['Response:', fenced('json', JSON.stringify({ data: answer }, null, 2))]),
  ];
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Possible errors, derived from the signature. */
function errorsOf({ field, access }: Operation): ErrorCode[] {
  const takesIds = field.args.some(({ type, name }) => getNamedType(type).name === 'DID' || name === 'input');
  return [
    'UNAUTHENTICATED',
    ...(isPermission(access) ? (['UNAUTHORIZED'] as const) : []),
    ...(field.args.length > 0 ? (['INVALID_INPUT'] as const) : []),
    ...(field.args.some(isRequiredArgument) ? (['FIELD_REQUIRED'] as const) : []),
    ...(takesIds ? (['RESOURCE_NOT_FOUND'] as const) : []),
    'RATE_LIMIT_EXCEEDED',
  ];
}
