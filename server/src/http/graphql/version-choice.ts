import { type ApiVersions, PREVIEW } from '../../kernel/api-versions.ts';
import { anyOf, type Text, t } from '../../kernel/languages/message.ts';
import { HttpError } from '../errors.ts';

/** The header of requests and responses with a version of the API. */
export const VERSION_HEADER = 'reelgraph-version';
const FIELD = 'Reelgraph-Version';
const FORM = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const MAX_SHOWN = 40;

export const GRAPHQL_PATH = '/graphql';
export const VERSIONED_ROUTE = '/graphql/:version';
const VERSIONED = /^\/graphql\/([^/]+)$/;

/** The version in the address of GraphQL; null for none, undefined for other addresses. */
export function versionInAddress(path: string): string | null | undefined {
  if (path === GRAPHQL_PATH) return null;
  return path.startsWith(GRAPHQL_PATH) ? VERSIONED.exec(path)?.[1] : undefined;
}

/** The route of requests with this version in their address, for metrics and the log. */
export function graphqlRoute(version: string | null): string {
  return version === null ? GRAPHQL_PATH : VERSIONED_ROUTE;
}

/** Finds the version that a request asks for, by its address (`/graphql/2027-01`) or its header. */
export class VersionChoice {
  readonly #versions: ApiVersions;

  constructor(versions: ApiVersions) {
    this.#versions = versions;
  }

  /**
   * The current version without either. Throws for versions that are unknown, malformed or retired, and when address
   * and header differ.
   */
  choose(address: string | null, header: string | string[] | undefined): string {
    if (address === null && header === undefined) return this.#versions.current;
    if (Array.isArray(header)) throw this.#refused(400, t`The header was sent twice.`);
    if (address !== null) this.#require(address, 404);
    if (header !== undefined) this.#require(header, 400);
    if (address !== null && header !== undefined && address !== header)
      throw this.#refused(
        400,
        t`The address names the version ${address}, and the header ${header}.`,
        t`Send one of them, or the same version in both.`,
      );
    return address ?? header ?? this.#versions.current;
  }

  #require(name: string, unknownStatus: 400 | 404): void {
    if (this.#versions.isSupported(name)) return;
    const retiredOn = this.#versions.retiredOn(name);
    if (retiredOn !== null) throw this.#refused(410, t`The version ${name} was retired on ${retiredOn}.`);
    const shown = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
    if (!FORM.test(name)) throw this.#refused(unknownStatus, t`"${shown}" is not a version of the API.`);
    throw this.#refused(unknownStatus, t`There is no version ${shown} of the API.`);
  }

  #refused(status: number, message: Text, advice?: Text): HttpError {
    const code = status === 400 ? 'INVALID_INPUT' : 'RESOURCE_NOT_FOUND';
    const { supported, current } = this.#versions;
    const names = anyOf([...supported, PREVIEW]);
    const suggestedFix = advice ?? t`Use ${names}, or leave the version out to get ${current}.`;
    return new HttpError(status, code, message, { field: FIELD, suggestedFix });
  }
}
