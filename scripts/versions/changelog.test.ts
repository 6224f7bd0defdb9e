import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildSchema } from 'graphql';
import { changelogPage } from './changelog.ts';
import { schemaChanges } from './schema-changes.ts';

test('lists the changes of each version by kind, marked, in lines of 120 columns', () => {
  const reason =
    'Use videos, which pages, sorts and filters them. Deprecated since 2027-04; ' +
    'removed in 2028-04 at the earliest.';
  const before = buildSchema(`
    type Query { old: Int videos(sort: Sort = OLDEST): [String!] gone: Gone }
    type Gone { a: Int b: Int }
    enum Sort { OLDEST }
    type Kept { s: Sort }
  `);
  const after = buildSchema(`
    type Query {
      old: Int @deprecated(reason: "${reason}")
      videos(sort: Sort = NEWEST): [String!]!
      fresh: Fresh
    }
    type Fresh { a: Int b: Int }
    enum Sort { OLDEST NEWEST }
    type Kept { s: Sort }
  `);
  const sections = [
    {
      title: '2027-04',
      about: 'Published on 2027-04-01. Compared with 2027-01.',
      changes: schemaChanges(before, after),
    },
    { title: '2027-01', about: 'The first version.', changes: [] },
  ];
  const [, ...text] = changelogPage(sections).split('\n## ');
  assert.equal(
    `## ${text.join('\n## ')}`,
    `## 2027-04

Published on 2027-04-01. Compared with 2027-01.

### Removed

* **Breaking.** \`Gone\`: object
* **Breaking.** \`Query.gone\`: \`Gone\`

### Changed

* \`Query.videos\`: \`[String!]!\`, was \`[String!]\`
* **Breaking.** \`Query.videos(sort:)\`: default \`NEWEST\`, was \`OLDEST\`

### Deprecated

* \`Query.old\`: Use videos, which pages, sorts and filters them. Deprecated since 2027-04; removed in 2028-04 at the
  earliest.

### Added

* \`Fresh\`: object
* \`Query.fresh\`: \`Fresh\`
* \`Sort.NEWEST\`

## 2027-01

The first version.
`,
  );
});
