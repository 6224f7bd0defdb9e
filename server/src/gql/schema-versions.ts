import { type Lifecycle, schemaView } from '@reelgraph/sql-planner';
import type { GraphQLSchema } from 'graphql';
import { type ApiVersions, PREVIEW } from '../kernel/api-versions.ts';

/** The schema of each version, derived from the one that has everything. */
export class SchemaVersions {
  readonly #whole: GraphQLSchema;
  readonly #versions: ApiVersions;
  readonly #views = new Map<string, GraphQLSchema>();

  constructor(whole: GraphQLSchema, versions: ApiVersions) {
    this.#whole = whole;
    this.#versions = versions;
  }

  /** The schema of the current version. */
  get current(): GraphQLSchema {
    return this.of(this.#versions.current);
  }

  /** The schema of a version; the same object for versions without a difference to the whole. */
  of(version: string): GraphQLSchema {
    const known = this.#views.get(version);
    if (known) return known;
    const isPreview = version === PREVIEW;
    const at = isPreview ? this.#versions.latest : version;
    const view = schemaView(this.#whole, (lifecycle) => isHidden(lifecycle, at, isPreview));
    this.#views.set(version, view);
    return view;
  }
}

/** Names of versions sort by their date. */
function isHidden({ preview, since, until }: Lifecycle, version: string, isPreview: boolean): boolean {
  if (until !== undefined && until <= version) return true;
  return !isPreview && (preview === true || (since !== undefined && since > version));
}
