import { AppError, ERROR_CATALOGUE, type ErrorCode } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Engine } from '../engine.ts';
import type { GraphqlResult } from '../requests.ts';
import type { Credential } from '../viewer.ts';
import { MAX_EXPORT_LEVELS, type PageSizes, QUERY_FIELD, readExport } from './export-document.ts';
import type { ExportPosition } from './export-position.ts';
import { type PageDocuments, type PagedList, pageDocuments } from './page-documents.ts';
import { type ExportedPage, type ExportStep, walkExport } from './walk-export.ts';

/** A query to export. */
export interface ExportSource {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Who reads. */
export interface ExportReader {
  readonly credential: Exclude<Credential, { kind: 'anonymous' }>;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** An export that can be read. */
export interface OpenExport {
  /** Name of the exported field. */
  readonly name: string;
  readonly sizes: PageSizes;
  /** Where it begins. */
  readonly start: ExportPosition;
  /** Reads one object, charged to the reader. Throws what reading the export would throw. */
  probe(reader: ExportReader): Promise<void>;
  /** Reads it from a position on. Throws AppError when a page is refused or has an error. */
  read(reader: ExportReader, from: ExportPosition): AsyncGenerator<ExportStep>;
}

/** Page sizes, largest first: the first whose pages cost no more than an operation may. */
const SIZES: readonly PageSizes[] = [
  { root: 100, nested: 20 },
  { root: 50, nested: 20 },
  { root: 25, nested: 20 },
  { root: 25, nested: 10 },
  { root: 10, nested: 10 },
  { root: 5, nested: 10 },
  { root: 5, nested: 5 },
  { root: 2, nested: 5 },
  { root: 1, nested: 2 },
  { root: 1, nested: 1 },
];

/**
 * Prepares a query for export: the same for every process, so that any worker continues where another one stopped.
 * @throws AppError GRAPHQL_VALIDATION_FAILED or INVALID_INPUT about `input.query` for what cannot be exported.
 */
export function openExport(engine: Engine, source: ExportSource, credential: Credential['kind']): OpenExport {
  const { operation, variables } = engine.examine(source.query, source.variables, credential);
  for (const sizes of SIZES) {
    const documentsFor = (size: PageSizes) => pageDocuments(operation, readExport(operation, variables, size));
    const documents = documentsFor(sizes);
    const cost = costOf(engine, documents, source, credential);
    if (cost > engine.maxCost) continue;
    const first = documentsFor({ root: 1, nested: 1 });
    const { name, start } = readExport(operation, variables, sizes);
    return new Opened(engine, source, { documents, first, name, sizes, start: { after: start } });
  }
  throw new AppError('GRAPHQL_VALIDATION_FAILED', t`One object of this list costs more than an operation may.`, {
    field: QUERY_FIELD,
    suggestedFix: t`Select less of each object: at most ${MAX_EXPORT_LEVELS} levels of lists, each with few fields.`,
  });
}

/**
 * The cost of a page of the exported connection; those of nested lists are parts of it. Their documents are checked,
 * too.
 */
function costOf(
  engine: Engine,
  documents: PageDocuments,
  source: ExportSource,
  credential: Credential['kind'],
): number {
  const { root, after, id } = documents;
  const variables = { ...source.variables, [after]: 'x', [id]: 'x' };
  const examine = (list: PagedList): number => {
    list.nested.forEach(examine);
    return engine.examine(list.text, variables, credential).cost;
  };
  return examine(root);
}

interface Prepared {
  readonly documents: PageDocuments;
  /** Reads one object. */
  readonly first: PageDocuments;
  readonly name: string;
  readonly sizes: PageSizes;
  readonly start: ExportPosition;
}

interface PageRequest {
  readonly list: PagedList;
  readonly parent: string | null;
  readonly after: string | null;
  readonly unmetered: boolean;
}

class Opened implements OpenExport {
  readonly name: string;
  readonly sizes: PageSizes;
  readonly start: ExportPosition;
  readonly #engine: Engine;
  readonly #source: ExportSource;
  readonly #documents: PageDocuments;
  readonly #first: PageDocuments;

  constructor(engine: Engine, source: ExportSource, { documents, first, name, sizes, start }: Prepared) {
    this.#engine = engine;
    this.#source = source;
    this.#documents = documents;
    this.#first = first;
    this.name = name;
    this.sizes = sizes;
    this.start = start;
  }

  async probe(reader: ExportReader): Promise<void> {
    const { root } = this.#first;
    if (await this.#page(reader, { list: root, parent: null, after: this.start.after, unmetered: false })) return;
    throw new AppError('UNAUTHORIZED', t`${root.path} is not visible to this account, or does not exist.`, {
      field: QUERY_FIELD,
      suggestedFix: t`Check the identifiers in the query, and your role in the channel they belong to.`,
    });
  }

  read(reader: ExportReader, from: ExportPosition): AsyncGenerator<ExportStep> {
    const { root } = this.#documents;
    return walkExport(root, from, async (list, parent, after) => {
      reader.signal.throwIfAborted();
      const page = await this.#page(reader, { list, parent, after, unmetered: true });
      if (page || list !== root) return page;
      throw new AppError('UNAUTHORIZED', t`${root.path} is not visible to this account any more.`);
    });
  }

  async #page(
    { credential, requestId, signal }: ExportReader,
    { list, parent, after, unmetered }: PageRequest,
  ): Promise<ExportedPage | null> {
    const { after: cursor, id, keys } = this.#documents;
    const result = await this.#engine.execute({
      query: list.text,
      variables: { ...this.#source.variables, [cursor]: after, ...(parent === null ? {} : { [id]: parent }) },
      credential,
      requestId,
      signal,
      queriesOnly: true,
      unmetered,
    });
    const data = dataOf(result);
    if (parent !== null) return (at(data, ['node', list.key]) ?? null) as ExportedPage | null; // as its document says
    return (at(data, keys) ?? null) as ExportedPage | null; // likewise
  }
}

function at(data: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null),
    data,
  );
}

/** The data of a complete result; throws the first error. An object that is gone has no error. */
function dataOf({ body }: GraphqlResult): unknown {
  const [error] = body.errors ?? [];
  if (!error) return body.data;
  const { code, suggestedFix, field } = error.extensions ?? {};
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CATALOGUE, code);
  const message =
    typeof field === 'string' ? t`The argument ${field} of the exported query: ${error.message}` : error.message;
  throw new AppError(known ? (code as ErrorCode) : 'INTERNAL_SERVER_ERROR', message, {
    ...(typeof suggestedFix === 'string' ? { suggestedFix } : {}),
    field: QUERY_FIELD,
  });
}
