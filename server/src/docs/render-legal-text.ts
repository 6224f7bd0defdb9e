import { Html, html } from '../kernel/html.ts';
import { InThread, ThreadError } from '../platform/threads/in-thread.ts';
import { boundedMarkdown } from './bounded-markdown.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Shorter texts take less time than a thread would. */
const SHORT_TEXT = 16_384;
/** The longest text takes half a second. */
const THREAD = { deadlineMs: 5_000, maxHeapMb: 256 };

const thread = new InThread<string, string>(new URL('./legal-text.worker.ts', import.meta.url), THREAD);

/** Markdown of operators as HTML, in a thread where that may take long; as it is where it takes too long. */
export async function renderLegalText(markdown: string): Promise<Html> {
  if (markdown.length <= SHORT_TEXT) return renderMarkdown(boundedMarkdown(markdown)).body;
  try {
    return new Html(await thread.run(markdown));
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    return html`<pre>${markdown}</pre>`;
  }
}
