/** Numeric features of the model. `curved`: the optimum may be in the middle, so the square is included. */
export const NUMBERS = {
  titleLength: { of: 'title', curved: true },
  titleWordLength: { of: 'title', curved: false },
  titleDigits: { of: 'title', curved: false },
  titleQuestion: { of: 'title', curved: false },
  titleCapitals: { of: 'title', curved: false },
  descriptionLength: { of: 'description', curved: false },
  firstLineLength: { of: 'description', curved: false },
  brightness: { of: 'picture', curved: true },
  contrast: { of: 'picture', curved: false },
  colourfulness: { of: 'picture', curved: true },
  sharpness: { of: 'picture', curved: false },
  resolution: { of: 'picture', curved: false },
  aspect: { of: 'picture', curved: false },
} as const satisfies Record<string, { of: 'title' | 'description' | 'picture'; curved: boolean }>;

export type NumberName = keyof typeof NUMBERS;
export const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[]; // Object.keys loses the literal type

/** Image features, measured at a fixed size (`measurePicture`), without the subject. */
export interface ImageFeatures {
  /** Mean of the luma, 0 black to 1 white. */
  readonly brightness: number;
  /** Standard deviation of the luma. */
  readonly contrast: number;
  /**
   * Hasler and Süsstrunk 2003, section 7: about 0 grey, 0.45 moderately and 1.09 extremely colourful (theirs are 100
   * times as much).
   */
  readonly colourfulness: number;
  /** Logarithm of the variance of the luma's Laplacian. */
  readonly sharpness: number;
  /** Width in pixels, as displayed. */
  readonly width: number;
  readonly height: number;
}

/** Features of a content; unknown numbers are null. */
export interface ContentFeatures {
  readonly numbers: Readonly<Record<NumberName, number | null>>;
  /** Identifier of its first category. */
  readonly category: string | null;
  /** Of the title, from `wordsOf`. */
  readonly words: readonly string[];
}

/** Maximum number of used characters of a description. */
export const DESCRIPTION_SEEN = 2_000;
/** Cards do not show images wider than this. */
const WIDEST = 1_280;

/** The features of texts and image. */
export function featuresOf(content: {
  readonly title: string;
  readonly description: string;
  readonly category: string | null;
  readonly image: ImageFeatures | null;
}): ContentFeatures {
  const { title, category, image } = content;
  const description = [...content.description].slice(0, DESCRIPTION_SEEN).join('');
  const words = wordsOf(title);
  return {
    category,
    words,
    numbers: {
      ...titleNumbers(title, words),
      descriptionLength: Math.log1p(codePoints(description)),
      firstLineLength: Math.log1p(codePoints(description.split('\n', 1)[0] ?? '')),
      ...imageNumbers(image),
    },
  };
}

function titleNumbers(title: string, words: readonly string[]) {
  const letters = [...title.matchAll(/\p{L}/gu)].length;
  return {
    titleLength: Math.log(Math.max(1, codePoints(title))),
    titleWordLength: words.length === 0 ? 0 : words.reduce((sum, word) => sum + codePoints(word), 0) / words.length,
    titleDigits: /\p{Nd}/u.test(title) ? 1 : 0,
    titleQuestion: /[?？؟]/u.test(title) ? 1 : 0,
    titleCapitals: letters === 0 ? 0 : [...title.matchAll(/\p{Lu}/gu)].length / letters,
  };
}

function imageNumbers(image: ImageFeatures | null) {
  if (!image)
    return { brightness: null, contrast: null, colourfulness: null, sharpness: null, resolution: null, aspect: null };
  const { width, height, ...looks } = image;
  return {
    ...looks,
    resolution: Math.log2(Math.min(width, WIDEST) / WIDEST),
    aspect: Math.abs(Math.log(width / height / (16 / 9))),
  };
}

/** The lower-case words of a text. */
export function wordsOf(text: string): string[] {
  return [
    ...text
      .normalize('NFKC')
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
  ].map(([word]) => word);
}

/** Number of characters without combining marks. */
export function codePoints(text: string): number {
  return [...text].length;
}
