import { readFile } from 'node:fs/promises';
import { OperationTypeNode } from 'graphql';
import { type Html, html } from '../kernel/html.ts';

/** The script that runs the example; served as it is. */
export const TRY_IT_PATH = '/docs/try-it.js';
const SCRIPT = new URL('./try-it.browser.mjs', import.meta.url);

/** What the page of an operation lets people run. */
export interface TryIt {
  readonly kind: OperationTypeNode;
  /** Of the operation. */
  readonly name: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const MAX_ROWS = 20;

export function readTryItScript(): Promise<string> {
  return readFile(SCRIPT, 'utf8');
}

/**
 * An editor with the example, for those who are signed in. It is hidden until the script has asked for the session: the
 * page is the same for everyone.
 */
export function tryItSection({ kind, name, document, variables }: TryIt, path: string): Html {
  const values = JSON.stringify(variables, null, 2);
  const changes = kind === OperationTypeNode.MUTATION;
  return html`<section class="try" data-kind="${kind}" aria-labelledby="try-it" hidden>
      <h2 id="try-it">Try it</h2>
      <p class="try-hint" hidden><a href="/sign-in?next=${encodeURIComponent(path)}">Sign in</a> to run
        <code>${name}</code> here, with your account.</p>
      <form class="try-form" hidden>
        <p class="note">Runs as <strong class="try-user"></strong> on this server.
          ${changes ? html`<strong>It changes real data.</strong>` : html`It changes nothing.`}</p>
        ${editor('document', 'Operation', document.trim())}
        ${editor('variables', 'Variables (JSON)', values)}
        <p class="try-problem" id="try-problem" role="alert"></p>
        <p class="try-actions"><button class="try-run" type="submit">Run</button>
          <button class="try-fill" type="button" hidden>Use my channel and newest content</button></p>
        <p class="try-status" role="status"></p>
        <div class="code try-response" hidden>
          <pre tabindex="0" role="region" aria-label="Response"><code></code></pre>
        </div>
      </form>
      ${changes ? confirmation(name) : html``}
    </section>`;
}

function editor(name: string, label: string, text: string): Html {
  const rows = Math.min(MAX_ROWS, text.split('\n').length + 1);
  return html`<label for="try-${name}">${label}</label>
        <textarea id="try-${name}" name="${name}" rows="${rows}" spellcheck="false" autocapitalize="off"
          autocomplete="off" aria-describedby="try-problem">${text}</textarea>`;
}

function confirmation(name: string): Html {
  return html`<dialog aria-labelledby="try-confirm">
        <form method="dialog">
          <h3 id="try-confirm">Run ${name}?</h3>
          <p>It changes real data of this server, as if you had called it from a program. Not every change can be
            undone.</p>
          <p class="try-actions"><button class="try-run" value="run">Run</button>
            <button value="cancel" autofocus>Cancel</button></p>
        </form>
      </dialog>`;
}
