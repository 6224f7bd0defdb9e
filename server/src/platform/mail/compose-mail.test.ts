import assert from 'node:assert/strict';
import { it } from 'node:test';
import { contrastOf } from '../../kernel/accent-color.ts';
import { composeMail, withAccent } from './compose-mail.ts';

const STYLED = 'style="background:#ffb454;color:#1d2125"';

it('the button of a message has the accent color of the server, and text that can be read on it', () => {
  const action = { label: 'Review', url: 'https://example.com/settings' };
  const message = composeMail({ to: 'a@example.com', subject: 'Hello', paragraphs: [STYLED], action });
  const colorsOf = (html: string) =>
    /<a href="[^"]*" style="[^"]*;background:([^;]*);color:([^;]*);/.exec(html)?.slice(1);
  assert.deepEqual(colorsOf(message.html), ['#ffb454', '#1d2125']);
  assert.deepEqual(colorsOf(withAccent(message, '#0b57d0').html), ['#0b57d0', '#ffffff']);
  for (const color of ['#0b57d0', '#ff8a3d', '#d81b60', '#00a884']) {
    const [fill = '', onFill = ''] = colorsOf(withAccent(message, color).html) ?? [];
    assert.ok(contrastOf(fill, onFill) >= 4.5, color);
  }
  const { html, ...rest } = withAccent(message, '#0b57d0');
  assert.ok(html.includes('style=&quot;background:#ffb454'), 'what people wrote stays as it is');
  assert.deepEqual(rest, { to: 'a@example.com', subject: 'Hello', text: message.text });
});
