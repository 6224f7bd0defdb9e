import type { Route } from '../platform/routing.ts';

/** The match of a path and method. */
export type Match =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  /** The path exists, the method does not (RFC 9110 section 15.5.6 requires Allow). */
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'none' };

interface Endpoint {
  readonly route: Route;
  readonly names: readonly string[];
}

interface Node {
  readonly fixed: Map<string, Node>;
  /** By what a segment begins with: `@:name`. */
  readonly prefixed: Map<string, Node>;
  any: Node | null;
  here: Map<string, Endpoint> | null;
  below: Map<string, Endpoint> | null;
}

const NONE: Match = { kind: 'none' };
const MALFORMED: Match = { kind: 'malformed' };
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Compiles routes into a tree of path segments. A fixed segment wins over `@:name`, that over `:name`, and all over a
 * final `/*`; HEAD falls back to GET, and OPTIONS without a route is left to the caller. Throws when two routes have
 * the same method and pattern.
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
  const root = newNode();
  /** Patterns without parameters, found by one lookup. */
  const exact = new Map<string, Map<string, Endpoint>>();
  for (const route of routes) {
    const endpoints = insert(root, route);
    if (!/[:*]/.test(route.path)) exact.set(route.path, endpoints);
  }
  return (method, path) => {
    const fixed = exact.get(path);
    const direct = fixed && endpointFor(fixed, method);
    if (direct) return { kind: 'found', route: direct.route, params: NO_PARAMS };
    return search(root, method, path);
  };
}

function newNode(): Node {
  return { fixed: new Map(), prefixed: new Map(), any: null, here: null, below: null };
}

function insert(root: Node, route: Route): Map<string, Endpoint> {
  if (!route.path.startsWith('/')) throw new Error(`Route ${route.method} ${route.path} does not start with a slash.`);
  const names: string[] = [];
  let node = root;
  const segments = split(route.path);
  const wildcard = segments.at(-1) === '*';
  for (const segment of wildcard ? segments.slice(0, -1) : segments) {
    if (segment === '*') throw new Error(`Route ${route.method} ${route.path}: "*" is possible at the end only.`);
    if (segment.startsWith(':')) {
      names.push(segment.slice(1));
      node.any ??= newNode();
      node = node.any;
    } else {
      const [, prefix, name] = /^([^:]+):(.+)$/.exec(segment) ?? [];
      const children = name === undefined ? node.fixed : node.prefixed;
      if (name !== undefined) names.push(name);
      const next = children.get(prefix ?? segment) ?? newNode();
      children.set(prefix ?? segment, next);
      node = next;
    }
  }
  if (wildcard) node.below ??= new Map();
  else node.here ??= new Map();
  // One of the two is set above.
  const endpoints = (wildcard ? node.below : node.here) as Map<string, Endpoint>;
  if (endpoints.has(route.method)) throw new Error(`Two routes claim ${route.method} ${route.path}.`);
  endpoints.set(route.method, { route, names: wildcard ? [...names, '*'] : names });
  return endpoints;
}

/** Segments between slashes; a trailing slash adds none. */
function split(path: string): string[] {
  const segments = path.split('/');
  segments.shift();
  if (segments.at(-1) === '') segments.pop();
  return segments;
}

function search(root: Node, method: string, path: string): Match {
  const segments: string[] = [];
  for (const raw of split(path)) {
    const segment = decodeSegment(raw);
    if (segment === null) return MALFORMED;
    segments.push(segment);
  }
  const allow = new Set<string>();
  const visit = (node: Node, at: number, values: readonly string[]): Match | null => {
    const segment = segments[at];
    if (segment === undefined) return node.here && accept(node.here, values);
    const fixed = node.fixed.get(segment);
    const found =
      (fixed && visit(fixed, at + 1, values)) ??
      prefixed(node, segment, (next, rest) => visit(next, at + 1, [...values, rest])) ??
      (node.any && segment !== '' ? visit(node.any, at + 1, [...values, segment]) : null);
    return found ?? (node.below && accept(node.below, [...values, segments.slice(at).join('/')]));
  };
  const accept = (endpoints: Map<string, Endpoint>, values: readonly string[]): Match | null => {
    const endpoint = endpointFor(endpoints, method);
    if (endpoint) {
      const params = Object.fromEntries(endpoint.names.map((name, index) => [name, values[index] ?? '']));
      return { kind: 'found', route: endpoint.route, params };
    }
    for (const name of endpoints.keys()) allow.add(name);
    if (endpoints.has('GET')) allow.add('HEAD');
    return null;
  };
  const match = visit(root, 0, []);
  if (match) return match;
  return allow.size > 0 ? { kind: 'method-not-allowed', allow: [...allow.add('OPTIONS')].sort() } : NONE;
}

function prefixed(node: Node, segment: string, visit: (next: Node, rest: string) => Match | null): Match | null {
  for (const [prefix, next] of node.prefixed) {
    if (segment.length <= prefix.length || !segment.startsWith(prefix)) continue;
    const found = visit(next, segment.slice(prefix.length));
    if (found) return found;
  }
  return null;
}

function endpointFor(endpoints: Map<string, Endpoint>, method: string): Endpoint | undefined {
  return endpoints.get(method) ?? (method === 'HEAD' ? endpoints.get('GET') : undefined) ?? endpoints.get('*');
}

/** Percent-decoded; null for invalid UTF-8, a separator, a NUL or a parent segment. */
function decodeSegment(raw: string): string | null {
  let segment = raw;
  if (raw.includes('%')) {
    try {
      segment = decodeURIComponent(raw);
    } catch {
      return null;
    }
  }
  return segment === '.' ||
    segment === '..' ||
    segment.includes('/') ||
    segment.includes('\\') ||
    segment.includes('\0')
    ? null
    : segment;
}
