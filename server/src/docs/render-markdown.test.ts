import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderMarkdown } from './render-markdown.ts';

const HOSTILE: readonly (readonly [about: string, markdown: string])[] = [
  ['elements', '<script>alert(1)</script>\n\nText with <img src=x onerror=alert(1)> in it'],
  ['elements in tables', '| a |\n|---|\n| <svg onload=alert(1)> |'],
  ['elements in headings', '## A <b onclick=alert(1)>bold</b> heading'],
  ['elements in code', '`<script>` and\n\n```html\n</code></pre><script>alert(1)</script>\n```'],
  ['the name of a language', '```"><script>alert(1)</script>\nx\n```'],
  [
    'addresses that are scripts',
    '[a](javascript:alert(1)) [b](<data:text/html,x>) [c](//evil.example) [d](&#106;avascript:alert(1))',
  ],
  ['quotes in addresses', '[a](https://example.com/"onmouseover="alert(1))'],
  ['pictures', '![<b>](https://evil.example/x.png "onload=alert(1)")'],
  ['bare addresses', '<javascript:alert(1)> https://example.com/<script>'],
];

describe('Markdown', () => {
  for (const [about, markdown] of HOSTILE) {
    it(`cannot bring ${about}`, () => {
      const { text } = renderMarkdown(markdown).body;
      assert.doesNotMatch(text, /<(?!\/?(?:p|h[1-6]|a|code|pre|div|table|thead|tbody|tr|th|td|em|strong|ul|ol|li)\b)/);
      for (const [, attributes = ''] of text.matchAll(/<\w+((?:\s[^>]*)?)>/g))
        assert.match(attributes, /^(?: (?:href="(?:https:\/\/|#)[^"]*"|id="[^"]*"|class="[^"]*"|tabindex="0"))*$/);
    });
  }

  it('links only valid addresses', () => {
    const { text } = renderMarkdown('At http://localhost:4000 or http://localhost:PORT.').body;
    assert.equal(
      text,
      '<p>At <a href="http://localhost:4000">http://localhost:4000</a> or http://localhost:PORT.</p>\n',
    );
  });

  it('renders headings with unique anchors, code, tables and links', () => {
    const { body, headings } = renderMarkdown(
      '# T\n\n## `A` b\n\n## A b\n\n| x | y |\n|---|---|\n| `1` | [l](/docs) |\n\n```sh\na < b\n```',
    );
    assert.deepEqual(headings, [
      { id: 'a-b', text: 'A b' },
      { id: 'a-b-2', text: 'A b' },
    ]);
    assert.match(body.text, /<h1>T<\/h1>\n<h2 id="a-b"><a class="at" href="#a-b"><code>A<\/code> b<\/a><\/h2>/);
    assert.match(body.text, /<tr><td><code>1<\/code><\/td><td><a href="\/docs">l<\/a><\/td><\/tr>/);
    assert.match(body.text, /<pre tabindex="0"><code>a &lt; b<\/code><\/pre>/);
  });
});
