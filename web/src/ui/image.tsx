import { useState } from 'react';
import type { ImageFragment } from '../gql/generated/operations.gen.ts';
import { sameOriginUrl } from '../lib/url.ts';
import { Logo } from './logo.tsx';

interface Properties {
  readonly image: ImageFragment | null;
  /** Width on the page, as in the `sizes` attribute. */
  readonly sizes: string;
  readonly className?: string;
  readonly eager?: boolean;
  /** Its text stands beside it, or its row names it. */
  readonly decorative?: boolean;
}

const TYPES = { AVIF: 'image/avif', WEBP: 'image/webp' } as const;

/** The best image for a purpose, in order of preference. */
export function pickImage(
  images: { readonly edges: readonly { readonly node: ImageFragment }[] },
  ...purposes: ImageFragment['purpose'][]
): ImageFragment | null {
  const nodes = images.edges.map(({ node }) => node);
  return purposes.map((purpose) => nodes.find((node) => node.purpose === purpose)).find(Boolean) ?? null;
}

/**
 * The browser chooses the smallest sufficient variant. Shows the dominant colour while loading, and the logo without an
 * image.
 */
export function ResponsiveImage({ image, sizes, className = '', eager = false, decorative = false }: Properties) {
  const [broken, setBroken] = useState(false);
  if (!image || broken) {
    return (
      <div className={`grid place-items-center bg-raised ${className}`}>
        <Logo className="size-10 opacity-45" />
      </div>
    );
  }
  const srcSet = (format: string): string =>
    image.variants
      .filter((variant) => variant.format === format)
      .map((variant) => `${sameOriginUrl(variant.url)} ${variant.width}w`)
      .join(', ');
  return (
    <picture className="contents [&>source]:hidden">
      {(['AVIF', 'WEBP'] as const).map(
        (format) =>
          srcSet(format) && <source key={format} type={TYPES[format]} srcSet={srcSet(format)} sizes={sizes} />,
      )}
      <img
        src={sameOriginUrl(image.url)}
        srcSet={srcSet('JPEG') || undefined}
        sizes={sizes}
        alt={decorative ? '' : (image.alt ?? '')}
        width={image.width}
        height={image.height}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        onError={() => setBroken(true)}
        className={`object-cover ${className}`}
        style={{ backgroundColor: image.dominantColor }}
      />
    </picture>
  );
}

/** A channel's avatar, or the first letter of its name. */
export function Avatar({
  image,
  name,
  className = 'size-10 text-base',
}: {
  image: ImageFragment | null;
  name: string;
  className?: string;
}) {
  if (image) return <ResponsiveImage image={image} sizes="6rem" className={`shrink-0 rounded-full ${className}`} />;
  return (
    <span
      aria-hidden="true"
      className={
        'grid shrink-0 place-items-center rounded-full border ' +
        `border-line bg-raised font-semibold text-sea ${className}`
      }
    >
      {[...name][0]?.toUpperCase() ?? '·'}
    </span>
  );
}
