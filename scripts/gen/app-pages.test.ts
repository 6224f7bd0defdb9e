import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagePatterns } from './app-pages.ts';

const route = (name: string, parent: string, path: string) =>
  `const ${name} = createRoute({\n  getParentRoute: () => ${parent},\n  path: '${path}',\n});`;

test('addresses of pages combine those of their routes and parents', () => {
  const sources = [
    [route('home', 'root', '/'), route('watch', 'root', '/watch/$'), route('channel', 'root', '/@{$handle}')].join(
      '\n',
    ),
    [
      route('studio', 'root', '/studio'),
      route('first', 'studio', '/'),
      route('watch', 'studio', '/playlists/$id'),
    ].join('\n'),
  ];
  assert.deepEqual(pagePatterns(sources), ['/', '/@:handle', '/studio', '/studio/playlists/:id', '/watch/*']);
});

test('an unreadable route is an error', () => {
  assert.throws(() => pagePatterns([route('list', 'studio', '/list')]), /has the parent studio/);
  assert.throws(() => pagePatterns(["const odd = createRoute({ path: '/odd' });"]), /1 routes are created/);
});
