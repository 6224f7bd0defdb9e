import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from './csv.ts';

test('a CSV file quotes separators, and keeps spreadsheets from calculating texts', () => {
  assert.equal(
    toCsv(
      ['Video', 'Views'],
      [
        ['Tides, "Ebb"', 3],
        ['=HYPERLINK("x")', 0.5],
        ['-2 °C', 1],
        ['Hours', 0.8409166666666666],
      ],
    ),
    'Video,Views\r\n"Tides, ""Ebb""",3\r\n"\'=HYPERLINK(""x"")",0.5\r\n\'-2 °C,1\r\nHours,0.84\r\n',
  );
});
