import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trafficSource } from './traffic-source.ts';

const origin = 'https://videos.example';
const arrival = { path: '/w/aB3-_xYz019', inPlaylist: false, previous: null, referrer: '', origin };

test('a playback belongs to the page from which it was opened', () => {
  for (const [previous, source] of [
    ['/', 'HOME'],
    ['/search', 'SEARCH'],
    ['/w/aB3-_xYz018', 'SUGGESTED'],
    ['/watch/short/2', 'SUGGESTED'],
    ['/@ada', 'CHANNEL'],
    ['/channel/3', 'CHANNEL'],
    ['/playlist/4', 'PLAYLIST'],
    ['/series/5', 'PLAYLIST'],
    ['/feed', 'FOLLOWING'],
    ['/trending', 'TRENDING'],
    ['/shorts', 'SHORTS'],
    ['/history', 'OTHER'],
  ] as const) {
    assert.equal(trafficSource({ ...arrival, previous }), source, previous);
  }
});

test('a first page belongs to the site that linked to it', () => {
  assert.equal(trafficSource(arrival), 'DIRECT');
  assert.equal(trafficSource({ ...arrival, referrer: 'https://blog.example/post' }), 'EXTERNAL');
  assert.equal(trafficSource({ ...arrival, referrer: `${origin}/` }), 'HOME');
  assert.equal(trafficSource({ ...arrival, referrer: 'https://videos.example.org/' }), 'EXTERNAL');
});

test('playlists and embedded players are sources of their own', () => {
  assert.equal(trafficSource({ ...arrival, previous: '/', inPlaylist: true }), 'PLAYLIST');
  assert.equal(trafficSource({ ...arrival, path: '/embed/1', referrer: 'https://blog.example/' }), 'EMBED');
});
