export const VIDEO_CONTENT_TYPES = ['VR', 'LANDSCAPE_VIDEO', 'PORTRAIT_VIDEO', 'SHORT'] as const;
export type VideoContentType = (typeof VIDEO_CONTENT_TYPES)[number];

export const IMAGE_PURPOSES = [
  'THUMBNAIL',
  'POSTER',
  'BANNER',
  'AVATAR',
  'SOCIAL_SHARE',
  'BACKGROUND',
  'EQUIRECTANGULAR',
  'EQUIRECTANGULAR_STILL',
  'OTHER',
] as const;
export type ImagePurpose = (typeof IMAGE_PURPOSES)[number];

/** How a video is projected or framed, with its meaning. */
export const VIDEO_PRESENTATIONS = {
  NONE: 'Flat, with the frame of the file.',
  PORTRAIT: 'Flat, taller than wide.',
  SQUARE: 'Flat, as wide as tall.',
  EQUIRECTANGULAR: '360 degrees, equirectangular.',
  EQUIRECTANGULAR_180: '180 degrees, equirectangular.',
  EQUIRECTANGULAR_STEREOSCOPIC: '360 degrees, equirectangular, one picture above the other for each eye.',
  EQUIRECTANGULAR_STEREOSCOPIC_180: '180 degrees, equirectangular, one picture above the other for each eye.',
  EQUIRECTANGULAR_STEREOSCOPIC_SIDEBYSIDE: '360 degrees, equirectangular, side by side for each eye.',
  EQUIRECTANGULAR_STEREOSCOPIC_SIDEBYSIDE_180: '180 degrees, equirectangular, side by side for each eye.',
  CUBEMAP: '360 degrees as the faces of a cube.',
  CUBEMAP_STEREOSCOPIC: '360 degrees as the faces of a cube, for each eye.',
  STEREOSCOPIC: 'Flat, one picture above the other for each eye.',
  STEREOSCOPIC_SIDEBYSIDE: 'Flat, side by side for each eye.',
} as const;
export type VideoPresentation = keyof typeof VIDEO_PRESENTATIONS;

/** The hint of a stored video: a presentation, or a kind of video. */
export type VideoHint = VideoContentType | VideoPresentation;
export const VIDEO_HINTS: readonly VideoHint[] = [
  ...VIDEO_CONTENT_TYPES,
  ...(Object.keys(VIDEO_PRESENTATIONS) as VideoPresentation[]), // Object.keys loses the literal type
];

const PRESENTATION_OF: Readonly<Record<VideoContentType, VideoPresentation>> = {
  VR: 'EQUIRECTANGULAR',
  LANDSCAPE_VIDEO: 'NONE',
  PORTRAIT_VIDEO: 'PORTRAIT',
  SHORT: 'PORTRAIT',
};

/** The presentation of a stored hint. */
export function presentationOf(hint: VideoHint): VideoPresentation {
  return hint in PRESENTATION_OF ? PRESENTATION_OF[hint as VideoContentType] : (hint as VideoPresentation);
}

/** The kind of video that a presentation implies. */
export function contentTypeOf(presentation: VideoPresentation): VideoContentType {
  if (presentation === 'PORTRAIT') return 'PORTRAIT_VIDEO';
  return /^(EQUIRECTANGULAR|CUBEMAP)/.test(presentation) ? 'VR' : 'LANDSCAPE_VIDEO';
}

/** The hints that clients send for images, with the purpose that is stored. */
export const IMAGE_PRESENTATIONS = {
  THUMBNAIL: 'THUMBNAIL',
  THUMBNAIL_STILL: 'THUMBNAIL',
  POSTER: 'POSTER',
  POSTER_STILL: 'POSTER',
  BANNER: 'BANNER',
  AVATAR: 'AVATAR',
  SOCIAL_SHARE: 'SOCIAL_SHARE',
  BACKGROUND: 'BACKGROUND',
  EQUIRECTANGULAR: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_180: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_STEREOSCOPIC: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_STEREOSCOPIC_180: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_STEREOSCOPIC_SIDEBYSIDE: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_STEREOSCOPIC_SIDEBYSIDE_180: 'EQUIRECTANGULAR',
  EQUIRECTANGULAR_STILL: 'EQUIRECTANGULAR_STILL',
  EQUIRECTANGULAR_STILL_180: 'EQUIRECTANGULAR_STILL',
  ICON: 'OTHER',
  LANDSCAPE: 'OTHER',
  LOGO: 'OTHER',
  NONE: 'OTHER',
  OTHER: 'OTHER',
  PANORAMIC: 'OTHER',
  PANORAMIC_STILL: 'OTHER',
  PORTRAIT: 'OTHER',
  PORTRAIT_STILL: 'OTHER',
  SKYBOX: 'OTHER',
  SPRITE: 'OTHER',
  STEREOSCOPIC: 'OTHER',
  STEREOSCOPIC_SIDEBYSIDE: 'OTHER',
  STILL: 'OTHER',
} as const satisfies Record<string, ImagePurpose>;
export type ImagePresentation = keyof typeof IMAGE_PRESENTATIONS;

/** What an upload becomes. */
export type UploadedMedia =
  | { readonly kind: 'VIDEO'; readonly hint: VideoHint }
  | { readonly kind: 'IMAGE'; readonly hint: ImagePurpose; readonly alt?: string };
