import { openApiDocument } from '../../server/src/docs/openapi/document.ts';
import type { Described, Schema } from '../../server/src/docs/openapi/openapi.ts';
import { platformSchema } from '../../server/src/schema.ts';
import type { RestCase } from './rest-case.ts';

/** Bytes of a text in a body of 16 KiB, and in one of events of playback. */
export const MEMBER = 15_000;
const ENGAGEMENT = 60_000;
/** And in a header or an address, of which Node takes 16 KiB together. */
export const HEAD = 8_000;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly described: Described;
}

/** Where a text is in a body: names of members, and `[]` for an element. */
type Place = readonly string[];

/**
 * Every text that the REST endpoints of the OpenAPI document read: in the path, the query, a header, JSON and forms.
 * The others of a request have the shortest valid values.
 */
export function documentedTexts(credential: Readonly<Record<string, string>>): RestCase[] {
  const { paths } = openApiDocument({ schema: platformSchema(), baseUrl: 'http://localhost', version: '0.0.0' });
  const cases = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, described]) => {
      const operation = { method: method.toUpperCase(), path, described };
      return [...parameterCases(operation, credential), ...bodyCases(operation, credential)];
    }),
  );
  // A text may be in bodies of several types.
  return [...new Map(cases.map((each) => [each.name, each])).values()];
}

function parameterCases(operation: Operation, credential: Readonly<Record<string, string>>): RestCase[] {
  const { method, path, described } = operation;
  return (described.parameters ?? [])
    .filter(({ schema }) => isText(schema))
    .map(({ in: place, name }) => ({
      name: `${method} ${path}: ${place} ${name}`,
      most: HEAD,
      request: (text) => ({ ...requestOf(operation, credential, [place, name, text]), method }),
    }));
}

function bodyCases(operation: Operation, credential: Readonly<Record<string, string>>): RestCase[] {
  const { method, path, described } = operation;
  const most = path === '/api/engagement' ? ENGAGEMENT : MEMBER;
  return Object.entries(described.requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
    variantsOf(schema).flatMap((variant) =>
      textsIn(variant).map((place) => ({
        name: `${method} ${path}: ${place.join('.')}`,
        most,
        request: (text: string) => {
          const { path: address, headers } = requestOf(operation, credential);
          const body = type.includes('form')
            ? String(new URLSearchParams(Object(sample(variant, place, fitting(text, encodeURIComponent)))))
            : JSON.stringify(sample(variant, place, fitting(text, JSON.stringify, most)));
          return { path: address, method, headers: { ...headers, 'content-type': type }, body };
        },
      })),
    ),
  );
}

/** The path and headers, with the text at one parameter. */
function requestOf(
  { path, described }: Operation,
  credential: Readonly<Record<string, string>>,
  [place, name, text]: readonly [place: string, name: string, text: string] | readonly [] = [],
): { path: string; headers: Record<string, string> } {
  const headers: Record<string, string> = described.security ? { ...credential } : {};
  const query: string[] = [];
  let address = path;
  for (const each of described.parameters ?? []) {
    const isPlace = each.in === place && each.name === name;
    if (!isPlace && !each.required) continue;
    const value = isPlace ? (text ?? '') : String(sample(each.schema));
    if (each.in === 'header') headers[each.name] = sendable(value);
    else if (each.in === 'query') query.push(`${each.name}=${addressed(value)}`);
    else address = address.replace(`{${each.name}}`, addressed(value));
  }
  return { path: query.length > 0 ? `${address}?${query.join('&')}` : address, headers };
}

const isText = (schema: Schema): boolean =>
  schema.type === 'string' && !('enum' in schema) && schema.format !== 'binary';

const variantsOf = (schema: Schema): readonly Schema[] => (schema.oneOf as readonly Schema[] | undefined) ?? [schema];
const membersOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  (schema.properties as Readonly<Record<string, Schema>> | undefined) ?? {};
const elementOf = (schema: Schema): Schema | undefined => schema.items as Schema | undefined;

function textsIn(schema: Schema): Place[] {
  if (isText(schema)) return [[]];
  const element = elementOf(schema);
  if (element) return textsIn(element).map((place) => ['[]', ...place]);
  return Object.entries(membersOf(schema)).flatMap(([name, member]) =>
    textsIn(member).map((place) => [name, ...place]),
  );
}

/** The shortest value of a schema; with `place`, it has the text there. */
function sample(schema: Schema, place?: Place, text = 'a'): unknown {
  const [next, ...rest] = place ?? [];
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const element = elementOf(schema);
  if (element) return [sample(element, next === '[]' ? rest : undefined, text)];
  if (schema.type === 'object') {
    const required = (schema.required as readonly string[] | undefined) ?? [];
    const members = Object.entries(membersOf(schema)).filter(([name]) => name === next || required.includes(name));
    return Object.fromEntries(
      members.map(([name, member]) => [name, sample(member, name === next ? rest : undefined, text)]),
    );
  }
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return false;
  return place ? text : 'a';
}

/** As much of a text as a body may have, encoded. */
export function fitting(text: string, encoded: (text: string) => string, most = MEMBER): string {
  let part = text;
  while (Buffer.byteLength(encoded(part)) > most) part = part.slice(0, Math.floor(part.length / 2)).toWellFormed();
  return part;
}

/** As much of the encoded text as an address may have. */
export const addressed = (text: string): string => encodeURIComponent(text).slice(0, HEAD).replace(/%.?$/, '');

/** Headers have visible ASCII: everything else is one letter. */
export const sendable = (text: string): string => text.replace(/[^\x21-\x7e ]/g, 'x').replaceAll(/^ | $/g, 'x');
