import type { ServerFeature } from '../gql/generated/operations.gen.ts';

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

/** Whether operators left a feature switched on. */
export const isSwitchedOn = (feature: ServerFeature): boolean => !stated('features-off').split(' ').includes(feature);
