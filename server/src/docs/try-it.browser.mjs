// Runs the example on an operation's page with the session of whoever is signed in. Without a session the page has a
// link to sign in, and without this script the example as text.

/** More of a response is cut off: showing it would stall the browser. */
const MAX_SHOWN = 200_000;
const MAX_MESSAGES = 100;
const OWN_IDS = '{ me { channel { id } } channelDashboard { recentContent { id } } }';
const DID = /"(did:[^"]*)"/g;

const section = document.querySelector('.try');
if (section) void open(section);

async function open(section) {
  const user = await signedIn().catch(() => null);
  section.hidden = false;
  section.querySelector(user ? '.try-form' : '.try-hint').hidden = false;
  if (user) prepare(section, user);
}

/** The account of the session, or null. */
async function signedIn() {
  const response = await fetch('/api/auth/get-session', { headers: { accept: 'application/json' } });
  return response.ok ? ((await response.json())?.user ?? null) : null;
}

function prepare(section, user) {
  const { kind } = section.dataset;
  const form = section.querySelector('.try-form');
  const run = form.querySelector('.try-run');
  const dialog = section.querySelector('dialog');
  const view = viewOf(section);
  form.querySelector('.try-user').textContent = user.username ?? user.name;
  let confirmed = kind !== 'mutation';
  let running = null;

  async function start() {
    const request = readRequest(form, view);
    if (!request) return;
    running = new AbortController();
    run.textContent = 'Stop';
    view.status('Running…');
    try {
      await (kind === 'subscription' ? follow : send)(request, view, running.signal);
    } catch (error) {
      view.status(running.signal.aborted ? 'Stopped.' : `The request failed: ${error.message}`);
    }
    running = null;
    run.textContent = 'Run';
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running) running.abort();
    else if (confirmed) void start();
    else dialog.showModal();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  dialog?.addEventListener('close', () => {
    if (dialog.returnValue !== 'run') return;
    confirmed = true;
    void start();
  });
  offerOwnIds(form, kind, view);
}

/** Puts ids of the account into the variables: by itself where nothing changes, otherwise by a button. */
function offerOwnIds(form, kind, view) {
  const { variables } = form.elements;
  if (!variables.value.match(DID)) return;
  const fill = async () => {
    try {
      fillVariables(variables, await ownIds(), view);
    } catch {
      view.status('Your ids could not be read.');
    }
  };
  if (kind !== 'mutation') return void fill();
  const button = form.querySelector('.try-fill');
  button.hidden = false;
  button.addEventListener('click', () => void fill());
}

/** The account's own channel, and its newest content of each kind; by kind. */
async function ownIds() {
  const { data } = await (await post({ query: OWN_IDS })).json();
  const ids = [data?.me?.channel?.id, ...(data?.channelDashboard?.recentContent ?? []).map(({ id }) => id)];
  const byKind = new Map();
  for (const id of ids) if (id && !byKind.has(kindOf(id))) byKind.set(kindOf(id), id);
  return byKind;
}

/** `content/feature` of `did:reelgraph:content/feature/…`. */
function kindOf(did) {
  return did.slice(did.indexOf(':', 4) + 1, did.lastIndexOf('/'));
}

function fillVariables(field, ids, view) {
  let missing = 0;
  field.value = field.value.replaceAll(DID, (example, did) => {
    const own = ids.get(kindOf(did));
    if (own === undefined) missing += 1;
    return own === undefined ? example : `"${own}"`;
  });
  view.status(
    missing === 0 ? 'The ids in the variables are yours.' : 'Replace the ids in the variables: they are examples.',
  );
}

/** The request of the form; null, with the problem shown, when its variables are not an object in JSON. */
function readRequest(form, view) {
  const { document: query, variables } = form.elements;
  const fault = (text) => {
    variables.setAttribute('aria-invalid', 'true');
    variables.focus();
    view.problem(text);
    return null;
  };
  variables.removeAttribute('aria-invalid');
  view.problem('');
  try {
    const values = variables.value.trim() === '' ? {} : JSON.parse(variables.value);
    const isObject = typeof values === 'object' && values !== null && !Array.isArray(values);
    return isObject ? { query: query.value, variables: values } : fault('The variables are not an object.');
  } catch (error) {
    return fault(`The variables are not JSON: ${error.message}`);
  }
}

/** A request with the session. Browsers say that it comes from a page of this site, which the server requires. */
function post(request, options = {}) {
  return fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: options.accept ?? 'application/graphql-response+json, application/json',
    },
    credentials: 'same-origin',
    body: JSON.stringify(request),
    signal: options.signal ?? null,
  });
}

async function send(request, view, signal) {
  const begun = performance.now();
  const response = await post(request, { signal });
  view.response(response, await response.text(), performance.now() - begun);
}

/** Shows the messages of a subscription until somebody stops it. */
async function follow(request, view, signal) {
  const begun = performance.now();
  const response = await post(request, { signal, accept: 'text/event-stream' });
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return view.response(response, await response.text(), performance.now() - begun);
  const messages = [];
  let rest = '';
  view.status(`${response.status} · waiting for messages`);
  for await (const text of chunksOf(response.body)) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const data = /^data: (.+)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      messages.push(pretty(data));
      view.body(messages.join('\n\n'));
      view.status(`${response.status} · ${messages.length} messages · ${inWords(performance.now() - begun)}`);
    }
    if (messages.length >= MAX_MESSAGES) return;
  }
}

/** The text of a stream; not every browser iterates over streams by itself. */
async function* chunksOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function inWords(ms) {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}

/** What the section shows of an answer. */
function viewOf(section) {
  const [problem, status] = [section.querySelector('.try-problem'), section.querySelector('.try-status')];
  const block = section.querySelector('.try-response');
  const view = {
    problem(text) {
      problem.textContent = text;
    },
    status(text) {
      status.textContent = text;
    },
    body(text) {
      block.hidden = false;
      block.querySelector('code').textContent =
        text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n… cut after ${MAX_SHOWN} characters` : text;
    },
    response(response, text, ms) {
      const parts = [`${response.status} ${response.statusText}`.trim()];
      let answer = null;
      try {
        answer = JSON.parse(text);
      } catch {
        // Not an answer of the API, from a proxy for example: shown as it is.
      }
      const errors = answer?.errors?.length ?? 0;
      if (errors > 0) parts.push(errors === 1 ? '1 error' : `${errors} errors`);
      const cost = answer?.extensions?.cost;
      if (cost) parts.push(`cost ${cost.actual} points, ${cost.available} left`);
      view.status([...parts, inWords(ms)].join(' · '));
      view.body(pretty(text));
      if (response.status === 401) section.querySelector('.try-hint').hidden = false;
    },
  };
  return view;
}
