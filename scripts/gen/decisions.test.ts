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
    { '0009': 'web/README.md', '0005': 'server/src/http/README.md' },
  );
  assert.equal(
    page,
    `# Decisions

Written by \`npm run gen\`. CONTRIBUTING.md says when something is a decision.

| number | title | status | module |
|---|---|---|---|
| [0003](0003-planned-reads.md) | Planned reads over \`/graphql\` | Accepted, 2026-11-20 | sql-planner, gql |
| [0007](0007-keys.md) | Keys | Superseded by [0003](0003-planned-reads.md), 2026-11-21 | accounts |

## Numbers that are not used any more

What these decided is described in the README of a module. Old commits and released migrations name them.

| number | described in |
|---|---|
| 0005 | [server/src/http/README.md](../../server/src/http/README.md) |
| 0009 | [web/README.md](../../web/README.md) |
`,
  );
});

test('a decision without a status names its file', () => {
  assert.throws(
    () => decisionsPage(new Map([['0003-reads.md', '# 3. Reads\n\n**Status.** Accepted, 2026-11-20.\n']]), {}),
    /docs\/decisions\/0003-reads\.md needs a title/,
  );
});
