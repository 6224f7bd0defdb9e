import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseText } from './text-tokens.ts';

const kinds = (body: string, mentioned: string[] | 'ANY' = []) =>
  parseText(body, mentioned).map((token) => (token.kind === 'text' ? token.text : [token.kind, token.text]));

test('a comment without links is one text token', () => {
  assert.deepEqual(kinds('Well <b>said</b>\n5 stars'), ['Well <b>said</b>\n5 stars']);
  assert.deepEqual(kinds(''), []);
});

test('a URL is a link without trailing punctuation', () => {
  assert.deepEqual(kinds('See https://example.org/a?b=c. (http://x.test)'), [
    'See ',
    ['link', 'https://example.org/a?b=c'],
    '. (',
    ['link', 'http://x.test'],
    ')',
  ]);
  for (const text of ['javascript:alert(1)', 'data:text/html,x', '<a href="javascript:alert(1)">x</a>', '//x.test'])
    assert.deepEqual(kinds(text, 'ANY'), [text]);
});

test('only names that the server recognized are mentions', () => {
  assert.deepEqual(kinds('@Ada, @bob and a@ada.org', ['ada']), [['mention', '@Ada'], ', @bob and a@ada.org']);
});

test('where it is not known which names exist, all that may be handles are mentions', () => {
  assert.deepEqual(kinds('By @Ada.B_c, not @a or a@ada.org.', 'ANY'), [
    'By ',
    ['mention', '@Ada.B_c'],
    ', not @a or a@ada.org.',
  ]);
});

test('a timestamp is a link into the video', () => {
  assert.deepEqual(
    parseText('At 1:02:03 or 0:07', []).filter(({ kind }) => kind === 'time'),
    [
      { kind: 'time', text: '1:02:03', seconds: 3723 },
      { kind: 'time', text: '0:07', seconds: 7 },
    ],
  );
  assert.deepEqual(kinds('score 12:34:56:78 and 3:99'), ['score 12:34:56:78 and 3:99']);
});

test('the tokens joined are the comment', () => {
  const body = 'Hi @ada.b. https://a.b/c?d=1:23, 4:56! @@ada';
  assert.equal(
    parseText(body, ['ada.b', 'ada'])
      .map(({ text }) => text)
      .join(''),
    body,
  );
});
