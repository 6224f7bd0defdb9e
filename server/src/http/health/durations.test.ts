import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Durations } from './durations.ts';

describe('durations', () => {
  it('are counted by labels, in buckets that include the smaller ones', () => {
    const durations = new Durations({ name: 'took_seconds', help: 'How long.', labels: ['route', 'status'] });
    for (const seconds of [0.001, 0.002, 31]) durations.observe(seconds, '/a"b\\', 200);
    durations.observe(0.5, '/c', 404);
    const lines = durations.text().split('\n');
    assert.deepEqual(lines.slice(0, 2), ['# HELP took_seconds How long.', '# TYPE took_seconds histogram']);
    const labels = 'route="/a\\"b\\\\",status="200"';
    for (const line of [
      `took_seconds_bucket{${labels},le="0.001"} 1`,
      `took_seconds_bucket{${labels},le="0.0025"} 2`,
      `took_seconds_bucket{${labels},le="30"} 2`,
      `took_seconds_bucket{${labels},le="+Inf"} 3`,
      `took_seconds_sum{${labels}} 31.003`,
      `took_seconds_count{${labels}} 3`,
      'took_seconds_bucket{route="/c",status="404",le="0.25"} 0',
      'took_seconds_bucket{route="/c",status="404",le="0.5"} 1',
      'took_seconds_count{route="/c",status="404"} 1',
    ]) {
      assert.ok(lines.includes(line), line);
    }
  });

  it('show their name without observations', () => {
    assert.equal(new Durations({ name: 'n', help: 'h', labels: [] }).text(), '# HELP n h\n# TYPE n histogram\n');
  });
});
