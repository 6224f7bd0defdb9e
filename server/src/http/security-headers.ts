import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';

/** On every response: no sniffing, no referrer leaks, and HSTS where the public address uses HTTPS. */
export function commonHeaders(baseUrl: string): OutgoingHttpHeaders {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

export interface PagePolicy {
  /** The page itself; its inline scripts and styles are allowed by their hashes, and no others. */
  readonly html: string;
  /** For pages whose libraries insert style elements: the explorer. */
  readonly inlineStyles?: boolean;
  /** Whether any site may frame the page; otherwise none may. Only for pages without actions. */
  readonly framable?: boolean;
  /** Other origins that the page sends requests to. */
  readonly connectTo?: readonly string[];
}

/**
 * Headers of an HTML page. Players built on Media Source Extensions need `blob:` media and workers, and caption tracks
 * that start as an empty `data:` file; everything else comes from this origin.
 */
export function pageHeaders(policy: PagePolicy): OutgoingHttpHeaders {
  const styles = policy.inlineStyles ? " 'unsafe-inline'" : hashesOf(policy.html, STYLES);
  const directives = [
    "default-src 'self'",
    `script-src 'self'${hashesOf(policy.html, SCRIPTS)}`,
    `style-src 'self'${styles}`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob: data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...(policy.connectTo ?? [])].join(' '),
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    `frame-ancestors ${policy.framable ? '*' : "'none'"}`,
  ];
  return {
    'content-security-policy': directives.join('; '),
    ...(policy.framable ? {} : { 'x-frame-options': 'DENY' }),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': `${policy.framable ? NO_CAPTURE : OWN_CAPTURE}, geolocation=(), payment=(), usb=()`,
  };
}

/** Creators broadcast from pages of the studio. */
const OWN_CAPTURE = 'camera=(self), display-capture=(self), microphone=(self)';
const NO_CAPTURE = 'camera=(), display-capture=(), microphone=()';
const SCRIPTS = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi;
const STYLES = /<style[^>]*>([\s\S]*?)<\/style>/gi;

function hashesOf(html: string, elements: RegExp): string {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64');
  return Array.from(html.matchAll(elements), (match) => ` 'sha256-${hash(match[1] ?? '')}'`).join('');
}
