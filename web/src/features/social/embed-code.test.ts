import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embedCode } from './embed-code.ts';

test('the embed code keeps the aspect ratio', () => {
  const code = embedCode({ address: 'https://v.example/embed/1?t=7', title: 'Hills', aspect: 9 / 16 });
  assert.match(code, /^<iframe src="https:\/\/v\.example\/embed\/1\?t=7" title="Hills" width="640" height="1138" /);
  assert.match(code, /aspect-ratio:640\/1138/);
});

test('a title cannot break out of its attribute', () => {
  const code = embedCode({
    address: 'https://v.example/embed/1',
    title: '"><script>alert(1)</script>&',
    aspect: 16 / 9,
  });
  assert.ok(code.includes('title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;"'), code);
  assert.equal(code.match(/</g)?.length, 2);
});
