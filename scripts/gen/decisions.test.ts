import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decisionsPage } from './decisions.ts';

test('decisions are listed by number, with status and modules', () => {
  const page = decisionsPage(
    new Map([
      [
        '0007-keys.md',
        '# 7. Keys\n\n**Status.** Superseded by [0003](0003-planned-reads.md), 2026-11-21. **Module.** accounts.\n',
      ],
      [
        '0003-planned-reads.md',
        '# 3. Planned reads over `/graphql`\n\n**Status.** Accepted, 2026-11-20. **Module.** sql-planner, gql.\n',
      ],
    ]),
  );
  assert.equal(
    page,
    `# Decisions

Written by \`npm run gen\`. CONTRIBUTING.md says when something is a decision; how a module works is in its README.

| number | title | status | module |
|---|---|---|---|
| [0003](0003-planned-reads.md) | Planned reads over \`/graphql\` | Accepted, 2026-11-20 | sql-planner, gql |
| [0007](0007-keys.md) | Keys | Superseded by [0003](0003-planned-reads.md), 2026-11-21 | accounts |
`,
  );
});

test('a decision without a status names its file', () => {
  assert.throws(
    () => decisionsPage(new Map([['0003-reads.md', '# 3. Reads\n\n**Status.** Accepted, 2026-11-20.\n']])),
    /docs\/decisions\/0003-reads\.md needs a title/,
  );
});
