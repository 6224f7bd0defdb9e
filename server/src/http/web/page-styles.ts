/** The web application's font: a file of the package `@fontsource-variable/instrument-sans` for each range. */
export const FONTS = [
  {
    path: '/docs/fonts/latin.woff2',
    file: 'instrument-sans-latin-wght-normal.woff2',
    range:
      'U+0000-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, U+0329, U+2000-206F, ' +
      'U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD',
  },
  {
    path: '/docs/fonts/latin-extended.woff2',
    file: 'instrument-sans-latin-ext-wght-normal.woff2',
    range:
      'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, ' +
      'U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF',
  },
] as const;

const fontFaces = FONTS.map(
  ({ path, range }) => `@font-face {
  font-family: "Instrument Sans"; font-weight: 400 700; font-display: swap;
  src: url(${path}) format("woff2");
  unicode-range: ${range};
}
`,
).join('');

/** The style sheet of the documentation pages, with the palette and the font of the web application. */
export const pageStyles = `${fontFaces}:root {
  color-scheme: dark;
  --ground: #101315; --raised: #171b1e; --line: #313a3f; --text: #f1f3ef; --soft: #a9b3b2; --accent-text: #ffc36b;
}
@media (prefers-color-scheme: light) {
  :root {
    color-scheme: light;
    --ground: #f8f6f1; --raised: #fffefb; --line: #ddd6c8; --text: #1b1f20; --soft: #565f5f; --accent-text: #855000;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); 
  font: 1rem/1.6 "Instrument Sans", ui-sans-serif, system-ui, sans-serif;
  font-variant-ligatures: no-common-ligatures; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: center; padding: 0.9rem max(1.5rem,
  calc((100vw - 77rem) / 2)); border-bottom: 1px solid var(--line); }
header nav { display: flex; gap: 1.4rem; }
header nav a { color: var(--soft); text-decoration: none; padding: 0.2rem 0; }
header nav a:hover { color: var(--text); }
header form { flex: 1 1 12rem; max-width: 20rem; margin-inline-start: auto; }
header input { width: 100%; padding: 0.45rem 0.8rem; font: inherit; font-size: 0.93rem; color: var(--text);
  background: var(--raised); border: 1px solid var(--line); border-radius: 8px; }
header input::placeholder { color: var(--soft); opacity: 1; }
header input:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 1px; }
.skip { position: absolute; inset-inline-start: -100vw; }
.skip:focus { inset-inline-start: 1rem; top: 0.5rem; padding: 0.4rem 0.8rem; background: var(--raised); }
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.5rem 5rem; min-width: 0; }
.with-side { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 77rem; margin: 0 auto; }
.with-side main { grid-column: 2; grid-row: 1; width: 100%; max-width: 52rem; margin: 0; padding-left: 2.5rem; }
.side { grid-column: 1; grid-row: 1; padding: 2.2rem 0 3rem 1.5rem; font-size: 0.93rem; align-self: start; }
.side h2 { margin: 1.6rem 0 0.3rem; font-size: 0.8rem; color: var(--soft); font-weight: 600; }
.side h2:first-child { margin-top: 0; }
.side ul, .contents ul { list-style: none; margin: 0; padding: 0; }
.side a { display: block; padding: 0.25rem 0; color: var(--text); text-decoration: none; }
.side a:hover, .contents a:hover { text-decoration: underline; text-underline-offset: 0.35em; }
.side a[aria-current] { color: var(--accent-text); font-weight: 600; }
.contents { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1.5rem 0; font-size: 0.95rem; }
.contents h2 { margin: 0; font-size: 0.85rem; color: var(--soft); font-weight: 600; }
.contents ul { columns: 3 14rem; }
.contents a { text-decoration: none; }
.foot { margin-top: 4rem; color: var(--soft); font-size: 0.9rem; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; color: var(--text); font-weight: 700;
  letter-spacing: -0.01em; text-decoration: none; }
a { color: var(--accent-text); text-underline-offset: 0.2em; }
.brand img { width: auto; height: 1.75rem; max-width: 10rem; }
a:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 3px; border-radius: 4px; }
h1, h2, h3 { letter-spacing: -0.01em; word-spacing: 0.06em; text-wrap: balance; }
h1 { margin: 0.5rem 0; font-size: clamp(1.4rem, 5vw, 2.1rem); line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1.15rem; }
h3 { margin: 1.25rem 0 0.4rem; font-size: 0.9rem; color: var(--soft); font-weight: 600; }
code { font-family: ui-monospace, "Cascadia Code", Menlo, monospace; font-size: 0.92em; }
.lead { font-size: 1.15rem; color: var(--soft); margin-top: 0; }
.crumbs { margin: 0; font-size: 0.9rem; }
.note { color: var(--soft); border-left: 3px solid var(--line); padding-left: 1rem; }
dl { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0; }
dl > div { flex: 1 1 10rem; background: var(--raised); border: 1px solid var(--line); border-radius: 10px;
  padding: 0.7rem 1rem; }
dl.fields > div { flex-basis: 100%; }
dt { color: var(--soft); font-size: 0.85rem; }
dd { margin: 0; }
h2 a.at, h3 a.at { color: inherit; text-decoration: none; }
h2 a.at:hover, h3 a.at:hover { text-decoration: underline; text-decoration-color: var(--line); }
p, li, dd { overflow-wrap: anywhere; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.code { position: relative; margin: 1rem 0; background: var(--raised); border: 1px solid var(--line);
  border-radius: 10px; }
.copy { position: absolute; top: 0.5rem; right: 0.5rem; padding: 0.25rem 0.7rem; font: inherit; font-size: 0.8rem;
  color: var(--text); background: var(--ground); border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.copy:hover { border-color: var(--accent-text); }
.copy:focus-visible, pre:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
.code pre { white-space: pre; overflow-x: auto; overflow-wrap: normal; background: none; border: 0; }
.code:has(.copy) pre { margin-right: 5rem; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0;
  white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.found { list-style: none; padding: 0; }
.found li { padding: 0.9rem 0; border-bottom: 1px solid var(--line); }
.found a { font-weight: 600; text-decoration: none; }
.found a:hover { text-decoration: underline; text-underline-offset: 0.35em; }
.found p { margin: 0.2rem 0 0; color: var(--soft); font-size: 0.95rem; }
.related { list-style: none; display: flex; flex-wrap: wrap; gap: 0.6rem; padding: 0; }
.related a { display: block; background: var(--raised); border: 1px solid var(--line); border-radius: 10px;
  padding: 0.4rem 0.8rem; text-decoration: none; }
.try { margin-top: 2.5rem; }
.try label { display: block; margin: 1rem 0 0.3rem; font-size: 0.9rem; font-weight: 600; color: var(--soft); }
.try textarea { display: block; width: 100%; padding: 0.8rem; resize: vertical; color: var(--text);
  background: var(--raised); border: 1px solid var(--line); border-radius: 10px; line-height: 1.5; tab-size: 2;
  font: 0.92rem/1.5 ui-monospace, "Cascadia Code", Menlo, monospace; }
.try textarea[aria-invalid] { border-color: var(--accent-text); }
.try button { padding: 0.5rem 1.1rem; font: inherit; color: var(--text); background: var(--raised);
  border: 1px solid var(--line); border-radius: 8px; cursor: pointer; }
.try button:hover { border-color: var(--accent-text); }
.try .try-run { color: var(--ground); background: var(--accent-text); border-color: var(--accent-text);
  font-weight: 600; }
.try textarea:focus-visible, .try button:focus-visible { outline: 2px solid var(--accent-text); outline-offset: 2px; }
.try-actions { display: flex; flex-wrap: wrap; gap: 0.6rem; }
.try-problem { color: var(--accent-text); margin: 0.5rem 0 0; }
.try-status { min-height: 1.6em; margin: 0.5rem 0; color: var(--soft); }
.try-problem:empty { display: none; }
.try .try-response pre { max-height: 30rem; overflow: auto; }
.try dialog { max-width: 28rem; color: var(--text); background: var(--raised); border: 1px solid var(--line);
  border-radius: 12px; padding: 1.2rem 1.5rem; }
.try dialog h3 { margin: 0; font-size: 1.1rem; color: var(--text); }
.try dialog::backdrop { background: rgb(0 0 0 / 60%); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; font-size: 0.95rem; }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 0.9rem 0.55rem 0; border-bottom: 1px solid var(--line);
  }
.related a:hover { text-decoration: underline; text-underline-offset: 0.35em; }
th { color: var(--soft); font-weight: 600; }
@media (max-width: 60rem) {
  .with-side { display: block; }
  .with-side main { padding: 1.5rem 1.5rem 2rem; margin: 0 auto; }
  .side { max-width: 52rem; margin: 0 auto; padding: 1.5rem 1.5rem 4rem; border-top: 1px solid var(--line); }
  .side a { padding: 0.45rem 0; }
}
@media (max-width: 40rem) {
  header { padding-inline: 1rem; }
  header form { flex-basis: 100%; max-width: none; }
  .with-side main, .side { padding-inline: 1rem; }
  main { padding-inline: 1rem; }
  .code:has(.copy) pre { margin-right: 0; }
  .copy { position: static; display: block; margin: 0 0.5rem 0.5rem auto; }
  thead { display: none; }
  table, tbody { display: block; }
  tr { display: flex; flex-wrap: wrap; gap: 0 0.9rem; padding: 0.8rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; }
  td:first-child, td:last-child { flex-basis: 100%; }
  td:nth-child(2), td:nth-child(3) { color: var(--soft); font-size: 0.9rem; }
}
`;
