/** The embeddable player page of a video. */
export interface Embeddable {
  /** Absolute address. */
  readonly address: string;
  readonly title: string;
  /** Aspect ratio. */
  readonly aspect: number;
}

const WIDTH = 640;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/** HTML that embeds the player responsively. */
export function embedCode({ address, title, aspect }: Embeddable): string {
  const height = Math.round(WIDTH / aspect);
  const style = `width:100%;max-width:${WIDTH}px;height:auto;aspect-ratio:${WIDTH}/${height};border:0`;
  return (
    `<iframe src="${escaped(address)}" title="${escaped(title)}" width="${WIDTH}" height="${height}" ` +
    `style="${style}" loading="lazy" allow="autoplay; fullscreen; picture-in-picture"></iframe>`
  );
}
