/** What the server states about itself in its pages; see the settings of operators. */
function stated(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

/** The name of this server. */
export const siteName = (): string => stated('site-name') || 'Reelgraph';

/** The path of its logo; null: ours. */
export const siteLogo = (): string | null => stated('site-logo') || null;

/** Addresses of its terms of service and its privacy policy; null without one. */
export const termsUrl = (): string | null => stated('terms-url') || null;
export const privacyUrl = (): string | null => stated('privacy-url') || null;

/** Names of the features that operators switched off. */
export const featuresOff = (): readonly string[] => stated('features-off').split(' ');
