import { mediaAddress } from '../../../server/src/domains/assets/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../server/src/kernel/content-kinds.ts';
import { secrets } from './database.ts';

const BASE_URL = process.env.BASE_URL ?? '';

export const did = (kind: string, id: string): string => `did:reelgraph:${kind}/${id}`;
/** The UUID of a DID. */
export const uuidOf = (text = ''): string => text.slice(text.lastIndexOf('/') + 1);
export const contentDid = (kind: ContentKind, id: string): string => did(`content/${CONTENT_KINDS[kind].did}`, id);
export const cursor = (...values: string[]): string => Buffer.from(values.join('\0')).toString('base64url');
export const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** Settings for building addresses. */
export const addresses = () => ({ baseUrl: BASE_URL, secrets, nowMs: Date.now() });

/** The address of a file; signed unless it is open. */
export function address(key: string, open: boolean): string {
  return mediaAddress(addresses(), key, open);
}

/** A row of image_assets as JSON. */
export interface Image {
  readonly purpose: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly dominant_color: string;
  readonly object_prefix: string;
  readonly variants: readonly {
    readonly file: string;
    readonly width: number;
    readonly height: number;
    readonly format: string;
  }[];
}

export function imageConnection(rows: readonly Image[] | null, open: boolean): object {
  return { edges: (rows ?? []).map((row) => ({ node: imageOf(row, open) })) };
}

export function imageOf({ object_prefix, variants, dominant_color, ...row }: Image, open: boolean): object {
  const { purpose, alt, width, height } = row;
  return {
    ...{ purpose, alt, width, height },
    url: address(object_prefix + variants[0]?.file, open),
    dominantColor: dominant_color,
    variants: variants.map((variant) => ({
      url: address(object_prefix + variant.file, open),
      width: variant.width,
      format: variant.format,
    })),
  };
}

/** The columns for a content card. */
export interface CardRow {
  readonly c_id: string;
  readonly kind: ContentKind;
  readonly published_at: string | null;
  readonly views: number;
  readonly c_title: string;
  readonly duration_ms: number | null;
  readonly h_id: string;
  readonly h_title: string;
}

export const VIEWS = `counter_value('content:views', c.id)`;
/** SQL of the columns, of the content `c` in the channel `h`. */
export const CARD =
  `c.id as c_id, c.kind, c.published_at, ${VIEWS} as views, c.title ` +
  'as c_title, c.duration_ms, h.id as h_id, h.title as h_title';

export function card(row: CardRow): object {
  return {
    id: contentDid(row.kind, row.c_id),
    kind: row.kind,
    publishedAt: row.published_at,
    viewCount: row.views,
    metadata: { title: row.c_title, duration: seconds(row.duration_ms) },
    channel: { id: did('channel', row.h_id), metadata: { title: row.h_title } },
  };
}
