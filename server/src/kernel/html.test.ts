import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { html } from './html.ts';

describe('html', () => {
  it('escapes values and keeps HTML', () => {
    assert.equal(
      html`<p title="${'"\'<&>'}">${[html`<b>${1}</b>`, html`${'<'}`]}</p>`.text,
      '<p title="&quot;&#39;&lt;&amp;&gt;"><b>1</b>&lt;</p>',
    );
  });
});
