import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { boundedMarkdown } from './bounded-markdown.ts';
import { renderMarkdown } from './render-markdown.ts';

const rendered = (markdown: string) => renderMarkdown(boundedMarkdown(markdown)).body.text;
const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe('Markdown of operators', () => {
  it('stays as it is', () => {
    const text = '# Terms\n\n> Be *kind*.\n\n1. one\n   - two\n     - **three**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
    assert.equal(boundedMarkdown(text), text);
  });

  it('has at most ten levels of quotes and lists, and shows what is nested more deeply as text', () => {
    assert.equal(occurrences(rendered(`${'> '.repeat(12)}end`), '<blockquote>'), 10);
    assert.match(rendered(`${'> '.repeat(12)}end`), /&gt; &gt; end/);
    assert.equal(occurrences(rendered(`${'1. '.repeat(12)}end`), '<ol>'), 10);
    assert.match(rendered(`${'1. '.repeat(12)}end`), /1\. 1\. end/);
    const nested = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- a\n`).join('');
    assert.ok(occurrences(rendered(nested), '<ul>') <= 21);
  });

  it('has at most 200 marks of emphasis in a paragraph', () => {
    assert.equal(occurrences(rendered(`${'*a* '.repeat(300)}\n\n*b*`), '<em>'), 101);
  });

  it('is rendered where it is nothing but marks', () => {
    assert.ok(rendered('>'.repeat(100_000)).length > 100_000);
    assert.ok(rendered('1. '.repeat(30_000)).length > 90_000);
  });
});
