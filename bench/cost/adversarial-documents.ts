import { type CostCase, FRESH } from './documents.ts';

const repeat = (count: number, make: (n: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, n) => make(n)).join(between);
const CARD = 'id publishedAt metadata { title summary duration } channel { id metadata { name } }';

/** Uncached documents that are expensive to parse, validate or plan; most are refused. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  small: `query ${FRESH} { verifyConnection { authenticated } }`,
  everyday:
    `query ${FRESH} { features(first: 20) { edges { cursor node { ${CARD} } } pageInfo { hasNextPage } totalCount } ` +
    '}',
  'many fields':
    `query ${FRESH} { feature(id: "x") { ${repeat(160, (n) => `...F${n % 80}`)} } ` +
    `} ${repeat(80, (n) => `fragment F${n} on Feature { ${CARD} }`)}`,
  'unknown fields': `query ${FRESH} { features { edges { node { ${repeat(900, (n) => `titel${n}`)} } } } }`,
  'same field': `query ${FRESH} { features { edges { node { ${repeat(60, () => 'id')} } } } }`,
  'same fields, deep':
    `query ${FRESH} { ` +
    `${repeat(7, () => `features { ${repeat(6, () => 'edges { node { channel { id } } }')} }`)} }`,
  'differing arguments':
    `query ${FRESH} { features { edges { node { ${repeat(60, (n) => `comments(first: ${n + 1}) { totalCount }`)} } ` +
    '} } }',
  directives: `query ${FRESH} { features ${repeat(2_400, () => '@a', '')} { totalCount } }`,
  'unused variables': `query ${FRESH}(${repeat(1_200, (n) => `$v${n}: Int`)}) { features { totalCount } }`,
  'variables of unknown types':
    'query ' + `${FRESH}(${repeat(1_200, (n) => `$v${n}: Featur${n}`)}) { features { totalCount } }`,
  'fragments in a row':
    `query ${FRESH} { features { edges { node { ...F0 } } } ` +
    `} ${repeat(99, (n) => `fragment F${n} on Feature { ...F${n + 1} }`)} fragment F99 on Feature { id }`,
  'fragments that double':
    `query ${FRESH} { features { edges { node { ...F0 } } } ` +
    `} ${repeat(50, (n) => `fragment F${n} on Feature { ...F${n + 1} ...F${n + 1} }`)} fragment F50 on Feature { id ` +
    '}',
  'unused fragments':
    `query ${FRESH} { features { totalCount } ` + `} ${repeat(100, (n) => `fragment F${n} on Feature { id }`)}`,
  'many operations':
    `${repeat(99, (n) => `query A${n} { features { edges { node { ${CARD} } } } }`)} query ${FRESH} { features { ` +
    'totalCount } }',
  'long list': `query ${FRESH} { contents(filter: { kinds: [${repeat(4_800, () => 'FEATURE')}] }) { totalCount } }`,
  'deep list': `query ${FRESH} { contents(filter: ${'['.repeat(150)}${']'.repeat(150)}) { totalCount } }`,
  'deep type': `query ${FRESH}($a: ${'['.repeat(2_300)}Int${']'.repeat(2_300)}) { features { totalCount } }`,
  'deep selection': `query ${FRESH} { ${'a{'.repeat(1_600)}a${'}'.repeat(1_600)} }`,
  'unknown arguments': `query ${FRESH} { features(${repeat(1_600, (n) => `firs${n}: 1`)}) { totalCount } }`,
  'same argument': `query ${FRESH} { features(${repeat(1_600, () => 'first: 1')}) { totalCount } }`,
  'unknown input fields':
    `query ${FRESH} { contents(filter: ` + `{ ${repeat(1_600, (n) => `languag${n}: 1`)} }) { totalCount } }`,
  'long string': `query ${FRESH} { search(query: "${'x'.repeat(90_000)}") { totalCount } }`,
  'long comments': `query ${FRESH} { verifyConnection { authenticated } } ${'# x\n'.repeat(20_000)}`,
  'too long': `query ${FRESH} { verifyConnection { authenticated } } ${','.repeat(1_000_000)}`,
};

export function adversarialDocuments(): CostCase[] {
  return Object.entries(DOCUMENTS).map(([name, query]) => ({ field: 'document', name, query }));
}
