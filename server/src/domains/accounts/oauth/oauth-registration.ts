import type { Body } from '../auth-requests.ts';

const MAX_REDIRECTS = 10;
const MAX_NAME = 100;
const MAX_ADDRESS = 1_000;
/** The characters of an address as it is sent (RFC 3986 section 2); no spaces, no control characters. */
const SENDABLE = /^[\x21-\x7e]+$/;
/** Also encoded: URL libraries decode it. */
const WILDCARD = /\*|%2a/i;
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;
const APPLICATION_TYPES = ['web', 'native'] as const;

/** What is accepted of an application's metadata, and what the server decides. */
export interface Registration {
  readonly redirect_uris: string[];
  readonly client_name: string;
  readonly client_uri?: string;
  readonly token_endpoint_auth_method: (typeof AUTH_METHODS)[number];
  readonly application_type: (typeof APPLICATION_TYPES)[number];
  readonly grant_types: ('authorization_code' | 'refresh_token')[];
  readonly response_types: 'code'[];
}

/** A rejected registration (RFC 7591 section 3.2.2). */
export interface RegistrationError {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly error_description: string;
}

/**
 * The accepted part of the metadata an application registers with (RFC 7591 section 2): its name, its redirect URIs and
 * whether it can keep a secret. The server decides the rest, as section 2 allows: grants, scopes, PKCE.
 */
export function prepareRegistration(metadata: Body): Registration | RegistrationError {
  const { redirect_uris: uris, token_endpoint_auth_method: method = 'none', application_type: type } = metadata;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS || !uris.every(isAddress))
    return {
      error: 'invalid_redirect_uri',
      error_description: `redirect_uris must list 1 to ${MAX_REDIRECTS} addresses.`,
    };
  if (uris.some((uri) => WILDCARD.test(uri)))
    return {
      error: 'invalid_redirect_uri',
      error_description: 'redirect_uris are compared as they are: list each address, without a wildcard (*).',
    };
  if (!isOneOf(AUTH_METHODS, method)) return invalid('token_endpoint_auth_method', AUTH_METHODS);
  if (type !== undefined && !isOneOf(APPLICATION_TYPES, type)) return invalid('application_type', APPLICATION_TYPES);
  return {
    redirect_uris: uris,
    client_name: nameOf(metadata.client_name),
    ...(isWebAddress(metadata.client_uri) ? { client_uri: metadata.client_uri } : {}),
    token_endpoint_auth_method: method,
    application_type: type ?? (uris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native'),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

function isOneOf<Name extends string>(names: readonly Name[], value: unknown): value is Name {
  return names.some((name) => name === value);
}

function invalid(member: string, names: readonly string[]): RegistrationError {
  return {
    error: 'invalid_client_metadata',
    error_description: `${member} must be one of ${names.join(', ')}.`,
  };
}

/** One line without characters that change how others are displayed. */
function nameOf(name: unknown): string {
  const line = typeof name === 'string' ? name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim() : '';
  return line.slice(0, MAX_NAME) || 'Unnamed application';
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ADDRESS && SENDABLE.test(value) && URL.canParse(value);
}

function isWebAddress(value: unknown): value is string {
  return isAddress(value) && value.startsWith('https://');
}
