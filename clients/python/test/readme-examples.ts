/** A code block of the README that the tests run. */
export interface Example {
  /** Its heading and its number below it: `Uploads 2`. */
  readonly name: string;
  readonly code: string;
}

/** Python blocks of a Markdown text. Throws for a block without `run`, because every example is tested. */
export function examplesOf(markdown: string): Example[] {
  const examples: Example[] = [];
  let heading = '';
  let count = 0;
  let open: string[] | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line === '```') {
      count += 1;
      examples.push({ name: `${heading} ${count}`, code: open.join('\n') });
      open = null;
    } else if (open) open.push(line);
    else if (line.startsWith('#')) [heading, count] = [line.replace(/^#+ /, ''), 0];
    else if (line === '```python run') open = [];
    else if (/^```(python|py)\b/.test(line))
      throw new Error(`Line ${index + 1}: this example is not run; begin it with "\`\`\`python run".`);
  }
  return examples;
}

/** What examples require: created by earlier examples or by their runner. */
interface Surroundings {
  readonly url: string;
  readonly contentId: string;
  readonly playlistId: string;
}

/** An example as a program. `replaced` maps texts of the documentation to those of the test. */
export function programOf(
  { code }: Example,
  { url, contentId, playlistId }: Surroundings,
  replaced: Readonly<Record<string, string>>,
): string {
  let body = code;
  for (const [text, other] of Object.entries(replaced)) body = body.replaceAll(text, other);
  return (
    'import os as _os\n\nimport reelgraph as _reelgraph\n\n' +
    `client = _reelgraph.Reelgraph(${JSON.stringify(url)}, _os.environ["REELGRAPH_KEY"])\n` +
    `content_id = ${JSON.stringify(contentId)}\nplaylist_id = ${JSON.stringify(playlistId)}\n\n${body}\n`
  );
}
