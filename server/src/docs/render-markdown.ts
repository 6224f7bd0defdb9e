import { Marked, type RendererObject, type Tokens } from 'marked';
import { Html, html } from '../kernel/html.ts';
import { plain } from './doc-page.ts';

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly body: Html;
  /** Second-level headings, in order. */
  readonly headings: readonly Heading[];
}

/**
 * Markdown (CommonMark with tables) as HTML. HTML in it is escaped, addresses are those of this server, https, http or
 * of mail, and images are replaced by their alternative text: no text can become a script.
 */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const idOf = (text: string): string => {
    const slug =
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .replace(/^-|-$/g, '') || 'part';
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times + 1}`;
  };
  const renderer: RendererObject = {
    html: ({ text }) => html`${text}`.text,
    image: ({ text }) => html`${text}`.text,
    heading(token) {
      const text = plain(token.text);
      const id = idOf(text);
      if (token.depth === 2) headings.push({ id, text });
      const inner = new Html(this.parser.parseInline(token.tokens));
      const tag = new Html(`h${token.depth}`);
      return token.depth === 1
        ? html`<h1>${inner}</h1>\n`.text
        : html`<${tag} id="${id}"><a class="at" href="#${id}">${inner}</a></${tag}>\n`.text;
    },
    link(token) {
      const inner = new Html(this.parser.parseInline(token.tokens));
      return isSafeAddress(token.href) ? html`<a href="${token.href}">${inner}</a>`.text : inner.text;
    },
    // Scrollable blocks are focusable by keyboard.
    code: ({ text }) => html`<div class="code"><pre tabindex="0"><code>${text}</code></pre></div>\n`.text,
    table(token) {
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      const table = `<table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table>`;
      return `<div class="scroll">${table}</div>\n`;
      function row(cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string {
        return `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
      }
    },
  };
  const marked = new Marked({ gfm: true, async: false, renderer });
  const inline = (cell: Tokens.TableCell): string => String(marked.parseInline(cell.text));
  return { body: new Html(String(marked.parse(markdown))), headings };
}

/** An address on this server or the web, or of mail without headers; `http://localhost:PORT` is not linked. */
function isSafeAddress(address: string): boolean {
  return /^(?:\/(?!\/)|#|mailto:[^?]+$)/.test(address) || (/^https?:\/\//.test(address) && URL.canParse(address));
}
