import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findOneStepMigrations, oneStepMigrations } from './two-step-migrations.ts';

const FIRST = { version: '0.1.0', migrations: new Set(['0001_things.sql']) };
const SECOND = { version: '0.2.0', migrations: new Set(['0001_things.sql', '0035_films.sql']) };
const NEEDED =
  'programs of the release before, which run meanwhile, may need it. Stop using it in one release and change it in a ' +
  'later one, with "-- Step 2 of 2: unused since VERSION" above the statement';
const LOCKED =
  'things cannot be written meanwhile. Use NOT VALID and validate it in a later migration, or say above the ' +
  'statement why that is short: "-- Locks things: …"';

const problems = (text: string, releases = [FIRST]) => oneStepMigrations([{ name: '0036_next.sql', text }], releases);

describe('migrations in two steps', () => {
  test('the present ones are', async () => {
    assert.deepEqual(await findOneStepMigrations(), []);
  });

  test('refuse what the release before may need, and what holds its writes up', () => {
    assert.deepEqual(problems('alter table things drop column a;\n\ncreate index on things (b);'), [
      `server/migrations/0036_next.sql:1 drops column things.a: ${NEEDED}`,
      `server/migrations/0036_next.sql:3 builds index without a name on things: ${LOCKED}`,
    ]);
  });

  test('allow it in the second step, for the statement below the comment alone', () => {
    const step = '-- Step 2 of 2: unused since 0.1.0';
    assert.deepEqual(problems(`${step}\nalter table things drop column a;`), []);
    assert.deepEqual(problems(`${step}, where b replaced it.\nalter table things drop column a;\ndrop view v;`), [
      `server/migrations/0036_next.sql:3 drops view v: ${NEEDED}`,
    ]);
    assert.equal(problems(`-- Some words. ${step}\nalter table things drop column a;`).length, 1);
    assert.equal(problems(`${step}\n\nalter table things drop column a;`).length, 1);
  });

  test('name a release that exists and is earlier', () => {
    const drop = (version: string) => `-- Step 2 of 2: unused since ${version}\nalter table things drop column a;`;
    assert.deepEqual(problems(drop('0.3.0'), [FIRST, SECOND]), [
      'server/migrations/0036_next.sql:2 drops column things.a: 0.3.0 is no earlier release; those are 0.1.0, 0.2.0',
    ]);
    const released = { name: '0035_films.sql', text: drop('0.2.0') };
    assert.deepEqual(oneStepMigrations([released], [FIRST, SECOND]), [
      'server/migrations/0035_films.sql:2 drops column things.a: 0.2.0 is no earlier release; those are 0.1.0',
    ]);
  });

  test('allow a lock of the named table with a reason', () => {
    assert.deepEqual(problems('-- Locks things: a few rows on every server.\ncreate index on things (b);'), []);
    assert.equal(problems('-- Locks others: a few rows.\ncreate index on things (b);').length, 1);
    assert.equal(problems('-- Locks things:\ncreate index on things (b);').length, 1);
  });

  test('allow changes of what no release has', () => {
    const films = { name: '0035_films.sql', text: 'create table films (id int);' };
    const next = { name: '0036_next.sql', text: 'create index on films (id); drop table films;' };
    assert.deepEqual(oneStepMigrations([films, next], [FIRST]), []);
    assert.equal(oneStepMigrations([films, next], [FIRST, SECOND]).length, 2);
  });

  test('leave out migrations of the first release and those from before it', () => {
    const text = 'drop table things;';
    assert.deepEqual(oneStepMigrations([{ name: '0034_arriving_videos.sql', text }], []), []);
    const release = { version: '0.1.0', migrations: new Set(['0036_next.sql']) };
    assert.deepEqual(oneStepMigrations([{ name: '0036_next.sql', text }], [release]), []);
  });
});
