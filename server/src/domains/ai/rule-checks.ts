import { type Text, t } from '../../kernel/languages/message.ts';
import { codePoints } from './ctr-model/features.ts';
import type { Candidate, Improvement, Recommendations } from './improvement.ts';

/**
 * Characters of a title that cards show: two lines of the narrowest card (17rem) hold 62 to 71 characters of English.
 */
export const CARD_TITLE_CHARACTERS = 65;
/** Narrower images are enlarged on cards of high-density screens. */
const SHARP_WIDTH = 1_280;
const SHARP_HEIGHT = 720;
/** Fraction of white; darker images are nearly black. */
const DARK = 0.12;
/**
 * Logarithm of the variance of the Laplacian at 320 pixels: frames of eight real videos had -3.4 to -6.3, and -8.0 to
 * -10.5 once they were blurred by two of these pixels.
 */
const BLURRED = -8;

/** Rule checks that need no trained model. */
export function checkRules({ title, description, image, features }: Candidate): Recommendations {
  const strengths: Text[] = [];
  const improvements: Improvement[] = [];
  const suggest = (area: Improvement['area'], priority: Improvement['priority'], suggestion: Text): void => {
    improvements.push({ area, priority, suggestion, estimatedImpact: null });
  };
  const length = codePoints(title);
  if (length <= CARD_TITLE_CHARACTERS) strengths.push(t`Cards show the whole title.`);
  else
    suggest(
      'TITLE',
      'MEDIUM',
      t`Cards truncate titles after about ${CARD_TITLE_CHARACTERS} characters, and this one has ${length}: put the
        important words first.`,
    );
  if (description === '')
    suggest('DESCRIPTION', 'MEDIUM', t`Add a description: search uses it, and viewers see what to expect.`);
  const { brightness, sharpness } = features.numbers;
  if (!image) suggest('PICTURE', 'HIGH', t`Add an image: a card without one shows only the title.`);
  else if (image.width < SHARP_WIDTH || image.height < SHARP_HEIGHT) {
    const size = `${image.width}x${image.height}`;
    suggest(
      'PICTURE',
      'MEDIUM',
      t`Use a larger image: ${size} pixels are blurred on high-density screens, ${SHARP_WIDTH}x${SHARP_HEIGHT} are
        not.`,
    );
  } else strengths.push(t`The image is large enough for every screen.`);
  if (brightness !== null && brightness < DARK)
    suggest('PICTURE', 'MEDIUM', t`Use a brighter image: this one is nearly black.`);
  if (sharpness !== null && sharpness < BLURRED)
    suggest('PICTURE', 'MEDIUM', t`Use a sharper image: this one has hardly any detail.`);
  return { strengths, improvements };
}
