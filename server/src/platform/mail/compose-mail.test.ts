import assert from 'node:assert/strict';
import test from 'node:test';
import { contrastOf } from '../../kernel/accent-color.ts';
import { day, phrase, t } from '../../kernel/languages/message.ts';
import { composeMail, type Mail, withAccent, withLogo } from './compose-mail.ts';

const MAIL: Mail = {
  to: 'anna@example.com',
  subject: t`A payment for ${'Premium\r\nBcc: eve@example.com'} failed`,
  paragraphs: [t`Reason: ${'<b>rude</b>'}`, phrase`${'Sign in'}`],
  action: { label: t`Sign in`, url: 'https://video.example.com/sign-in' },
  unsubscribe: { reason: t`You get this message because you follow ${'Anna'}.`, pageUrl: 'https://a', postUrl: 'b' },
};

test('a mail is written in the language of its recipient; what people wrote stays as it is', () => {
  const { subject, text, html } = composeMail(MAIL, 'de');
  assert.match(subject, /Premium Bcc: eve@example\.com/);
  assert.doesNotMatch(`${subject} ${text}`, /payment|Reason|You get this|Unsubscribe/);
  assert.match(text, /^Grund: <b>rude<\/b>\n\nAnmelden:\nhttps:\/\/video\.example\.com\/sign-in\n\nSign in\n/);
  assert.match(html, /^<!doctype html><html lang="de">/);
  assert.match(html, /<p>Grund: &lt;b&gt;rude&lt;\/b&gt;<\/p>/);
});

test('a mail in Arabic is set from right to left, with the logo above its text', () => {
  const { html } = withLogo(composeMail(MAIL, 'ar'), { url: 'https://a/logo.png', name: 'Server' });
  assert.match(html, /<html lang="ar" dir="rtl">/);
  assert.match(html, /<div dir="rtl" style="[^"]*"><p[^>]*><img src="https:\/\/a\/logo\.png" alt="Server"/);
});

test('a queued mail, which is JSON, is the same mail', () => {
  const queued = JSON.parse(JSON.stringify({ ...MAIL, subject: t`Last changed on ${day(0)}` })) as Mail;
  assert.equal(composeMail(queued, 'en').subject, 'Last changed on 1 January 1970');
  assert.equal(composeMail(queued, 'en').text, composeMail(MAIL, 'en').text);
});

test('the button of a mail has the accent color of the server, and text that can be read on it', () => {
  const styled = 'style="background:#ffb454;color:#1d2125"';
  const message = composeMail({ ...MAIL, paragraphs: [t`Reason: ${styled}`] }, 'en');
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
  const { html: _, ...others } = message;
  assert.deepEqual(rest, others);
});
