import { AppError } from './errors.ts';
import { t } from './languages/message.ts';

/**
 * What is behind text in both palettes of the web application (web/src/styles.css). The first two are also behind
 * buttons in the accent color.
 */
export const GROUNDS = {
  dark: ['#101315', '#171b1e', '#20262a'],
  light: ['#f8f6f1', '#fffefb', '#efebe2'],
} as const;

type Scheme = keyof typeof GROUNDS;
const SCHEMES = ['dark', 'light'] as const;

/** The colors of a palette that derive from the accent color, as `#rrggbb`. */
export interface Accent {
  /** Of buttons and progress. */
  readonly fill: string;
  /** Of text on `fill`. */
  readonly onFill: string;
  /** Of links and focus. */
  readonly text: string;
}

/** Contrasts that WCAG asks of text (1.4.3), and that lets a button be seen. */
const TEXT_CONTRAST = 4.5;
const FILL_CONTRAST = 1.5;
/** A color that needs more white or black to be read would be another color. */
const MOST_MIXED = 0.55;
const STEP = 0.01;
const [BLACK, WHITE] = ['#000000', '#ffffff'] as const;

type Channels = readonly [red: number, green: number, blue: number];

/** From 0 to 255. */
export function channelsOf(color: string): Channels {
  const at = (start: number) => Number.parseInt(color.slice(start, start + 2), 16);
  return [at(1), at(3), at(5)];
}

/** Hue, saturation and lightness of a color, as `hsl()` takes them. */
export function hslOf(color: string): string {
  const [red, green, blue] = channelsOf(color);
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [range, sum] = [most - least, most + least];
  const sector =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range;
  const hue = range === 0 ? 0 : (60 * sector + 360) % 360;
  const saturation = range === 0 ? 0 : range / (255 - Math.abs(sum - 255));
  const rounded = (value: number) => Number(value.toFixed(1));
  return `${rounded(hue)}, ${rounded(100 * saturation)}%, ${rounded((100 * sum) / 510)}%`;
}

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const linear = (channel: number) =>
    channel <= 0.04045 * 255 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4;
  const [red, green, blue] = channelsOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function mixed(color: string, other: string, share: number): string {
  const to = channelsOf(other);
  const parts = channelsOf(color).map((channel, index) => channel + ((to[index] ?? 0) - channel) * share);
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** The color, with as little white (in the dark palette) or black as gives this contrast; and how much that is. */
function readable(color: string, scheme: Scheme, grounds: readonly string[], contrast: number) {
  const target = scheme === 'dark' ? WHITE : BLACK;
  for (let share = 0; share < 1; share += STEP) {
    const found = mixed(color, target, share);
    if (grounds.every((ground) => contrastOf(found, ground) >= contrast)) return { color: found, share };
  }
  return { color: target, share: 1 };
}

/** What derives from an accent color, `#rrggbb`, in a palette. Every text has a contrast of 4.5:1 or more. */
export function accentIn(scheme: Scheme, color: string): Accent {
  const fill = readable(color, scheme, GROUNDS[scheme].slice(0, 2), FILL_CONTRAST).color;
  return {
    fill,
    onFill: contrastOf(WHITE, fill) >= TEXT_CONTRAST ? WHITE : BLACK,
    text: readable(color, scheme, GROUNDS[scheme], TEXT_CONTRAST).color,
  };
}

/**
 * An accent color as it is stored: `#rrggbb` in lower case.
 * @throws AppError INVALID_INPUT with `field` for anything else, and for a color that could not be read as a link
 *   unless it became another one.
 */
export function readAccentColor(value: string, field: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value.trim());
  const text = short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : value.trim();
  if (!/^#[0-9a-f]{6}$/i.test(text))
    throw new AppError('INVALID_INPUT', t`${field} is not a color.`, {
      field,
      suggestedFix: t`Send red, green and blue as hexadecimal digits: #1f6feb.`,
    });
  const color = text.toLowerCase();
  for (const scheme of SCHEMES) {
    if (readable(color, scheme, GROUNDS[scheme], TEXT_CONTRAST).share <= MOST_MIXED) continue;
    throw scheme === 'dark'
      ? new AppError(
          'INVALID_INPUT',
          t`${color} is too dark: on dark pages, text in this color would not have a contrast of 4.5:1.`,
          { field, suggestedFix: t`Choose a lighter or stronger color.` },
        )
      : new AppError(
          'INVALID_INPUT',
          t`${color} is too bright: on light pages, text in this color would not have a contrast of 4.5:1.`,
          { field, suggestedFix: t`Choose a darker or stronger color.` },
        );
  }
  return color;
}
