/** Lists and quotes within one another, which a person hardly reads beyond three. */
const MOST_LEVELS = 10;
/** Columns by which a line may be indented: an item of a list within ten others is. */
const MOST_INDENTATION = 40;
/** Asterisks and underscores of one paragraph that may begin or end emphasis. */
const MOST_EMPHASIS = 200;

const INDENTATION = /^[ \t]*/;
/** A marker of a quote or of an item of a list, with the space after it. */
const MARKER = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const END_OF_MARKER = /[>\-*+.)]/;
const EMPHASIS = /[*_]/g;

/**
 * Markdown whose rendering takes time that is linear in its length: the parser looks at each level of quotes and lists
 * again, and for each mark of emphasis at the whole paragraph. What is nested more deeply than a text for people is
 * becomes plain text; everything else stays as it is. Pure.
 */
export function boundedMarkdown(markdown: string): string {
  let emphasis = 0;
  return markdown
    .split('\n')
    .map((line) => {
      if (line.trim() === '') emphasis = 0;
      return withFewLevels(line).replace(EMPHASIS, (mark) => {
        emphasis += 1;
        return emphasis > MOST_EMPHASIS ? `\\${mark}` : mark;
      });
    })
    .join('\n');
}

function withFewLevels(line: string): string {
  const [indentation = ''] = INDENTATION.exec(line) ?? [];
  const start = indentation.length > MOST_INDENTATION ? line.slice(indentation.length - MOST_INDENTATION) : line;
  MARKER.lastIndex = 0;
  let end = 0;
  for (let levels = 0; MARKER.test(start); levels += 1) {
    if (levels === MOST_LEVELS) return start.slice(0, end) + start.slice(end).replace(END_OF_MARKER, '\\$&');
    end = MARKER.lastIndex;
  }
  return start;
}
