/** Languages with a catalog, each in its own words. */
export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  de: 'Deutsch',
  fr: 'Français',
  ja: '日本語',
  ar: 'العربية',
} as const;

export type Language = keyof typeof LANGUAGES;

/** The lines of a text as one. */
export const joinLines = (text: string): string => text.replace(/(?<!\s)\s*\n\s*/g, ' ');
