import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Hazard } from './schema-change.ts';
import { changesOf } from './schema-changes.ts';

/** What a statement does, and its hazard. */
const DONE: readonly (readonly [sql: string, what: string, hazard: Hazard | null])[] = [
  ['create table films (id int primary key, a text unique)', 'creates table films', null],
  ['create or replace function f() returns int language sql as $$ select 1; $$', 'creates function f', null],
  ['create constraint trigger t after insert on things execute function f()', 'creates trigger t', null],
  ["create type size as enum ('a')", 'creates type size', null],
  ["insert into things values ('drop table things;')", 'adds rows to things', null],
  ['update only things set a = 1', 'changes rows of things', null],
  ['delete from things where a = 1', 'deletes rows of things', null],
  ["comment on table things is 'x'", 'describes an object', null],
  ['select f()', 'calls a function', null],
  ['alter type size add value if not exists $$b$$', 'adds a value to type size', null],
  ['alter table things add column a text', 'adds column things.a', null],
  ['alter table things add a text not null default $$x$$', 'adds column things.a', null],
  [
    "alter table things add a numeric(3, 1) not null default cast('1' as numeric(3, 1))",
    'adds column things.a',
    'rewrites',
  ],
  ['alter table things add a timestamptz not null default now()', 'adds column things.a', null],
  ['alter table things add a uuid not null default gen_random_uuid()', 'adds column things.a', 'rewrites'],
  ['alter table things add a bigserial', 'adds column things.a', 'rewrites'],
  ['alter table things add a int generated always as (b + 1) stored', 'adds column things.a', 'rewrites'],
  ['alter table things add a int generated always as (b + 1) virtual', 'adds column things.a', null],
  ['alter table things add column if not exists a text not null', 'adds column things.a', 'breaks'],
  ['alter table things add column a int check (a > 0)', 'adds column things.a', 'locks'],
  ['alter table things add column a uuid references others', 'adds column things.a', 'locks'],
  ['alter table things add constraint a check (b > 0)', 'adds check a to things', 'locks'],
  ['alter table things add constraint a check (b > 0) not valid', 'adds check a to things', null],
  ['alter table things add foreign key (a) references others', 'adds foreign key to things', 'locks'],
  ['alter table things add constraint a unique (b)', 'adds unique a to things', 'locks'],
  ['alter table things add constraint a unique using index i', 'adds unique a to things', null],
  ['alter table things validate constraint a', 'checks constraint a of things', null],
  ['alter table things drop constraint things_check', 'drops constraint things_check of things', null],
  ['alter table things drop constraint if exists things_a_key', 'drops constraint things_a_key of things', 'breaks'],
  ['alter table if exists only public.things drop column if exists a', 'drops column things.a', 'breaks'],
  ['alter table things drop a', 'drops column things.a', 'breaks'],
  ['alter table things rename column a to b', 'renames things or a part of it', 'breaks'],
  ['alter table things rename to others', 'renames things or a part of it', 'breaks'],
  ['alter table things alter column a type bigint', 'changes the type of column things.a', 'breaks'],
  ['alter table things alter a set data type bigint', 'changes the type of column things.a', 'breaks'],
  ['alter table things alter a set not null', 'refuses null in column things.a', 'breaks'],
  ['alter table things alter a drop not null', 'allows null in column things.a', null],
  ['alter table things alter a set default 1', 'sets the default of column things.a', null],
  ['alter table things alter a drop default', 'drops the default of column things.a', 'breaks'],
  ['alter table things set unlogged', 'writes things again', 'rewrites'],
  ['alter table things set (fillfactor = 70)', 'changes settings of things', null],
  ['alter table things detach partition t1', 'takes a partition from things', 'breaks'],
  ['alter table things frobnicate', 'changes things in a way that this check does not know', 'breaks'],
  ['create index on things (a)', 'builds index without a name on things', 'locks'],
  ['create unique index if not exists i on only things (a)', 'builds unique index i on things', 'locks'],
  ['drop table if exists things', 'drops table things', 'breaks'],
  ['DROP FUNCTION "f"(int)', 'drops function f', 'breaks'],
  ['drop trigger t on things', 'drops trigger t', 'breaks'],
  ['drop index i', 'drops index i', 'breaks'],
  ['alter type size rename value $$a$$ to $$b$$', 'changes type size', 'breaks'],
  ['alter function f() rename to g', 'changes function f', 'breaks'],
  ['truncate things', 'deletes all rows of things', 'breaks'],
  ['revoke select on things from a', 'revokes a privilege', 'breaks'],
  ['do $$ begin execute 1; end $$', 'runs a DO block, whose effects cannot be seen here', 'breaks'],
  ['vacuum full things', 'runs VACUUM, which this check does not know', 'breaks'],
];

describe('what a migration does', () => {
  for (const [sql, what, hazard] of DONE)
    it(`${hazard ?? 'is safe'}: ${sql}`, () => {
      const [done, ...more] = changesOf(sql).flatMap(({ changes }) => changes);
      assert.deepEqual([done?.what, done?.hazard, more], [what, hazard, []]);
    });

  it('has one change for each action, and the line of each statement', () => {
    const text = `-- Of things.
alter table things
  add column a text,
  alter column b set default 1, alter column b set not null;

/* a; comment /* in; it */ ; */
drop view v;
`;
    assert.deepEqual(
      changesOf(text).map(({ statement, changes }) => [
        statement.line,
        statement.comments,
        changes.map(({ what, hazard }) => `${what}: ${hazard}`),
      ]),
      [
        [
          2,
          ['Of things.'],
          [
            'adds column things.a: null',
            'sets the default of column things.b: null',
            'refuses null in column things.b: locks',
          ],
        ],
        [7, [], ['drops view v: breaks']],
      ],
    );
  });

  it('is no hazard for tables and columns that are new', () => {
    const text = `create table films (id int); create index on films (id); drop table films;
      alter table things add column a int; alter table things alter column a set not null;
      alter table things drop column a; alter table things drop column b;`;
    assert.deepEqual(
      changesOf(text).flatMap(({ changes }) => changes.map(({ hazard }) => hazard)),
      [null, null, null, null, null, null, 'breaks'],
    );
  });

  it('ends statements only at semicolons outside of strings, names, comments and bodies', () => {
    const texts = [
      "insert into a values (';', e'\\';', 'it''s;')",
      'insert into b values ($$;$$, $x$ $$;$$ $x$)',
      'update "c;" set d = 1 -- ;',
      'create function e() returns int begin atomic select case when true then 1 end; select 2; end',
      'delete from f',
    ];
    assert.deepEqual(
      changesOf(texts.join('\n;\n')).map(({ changes }) => changes[0]?.what),
      ['adds rows to a', 'adds rows to b', 'changes rows of c;', 'creates function e', 'deletes rows of f'],
    );
  });

  for (const open of ["select 'a", 'select "a', 'select $$ a', '/* a'])
    it(`cannot be told of a file that ends in the middle: ${open}`, () => {
      assert.throws(() => changesOf(open), /Line 1: a (?:string|string or name|comment) has no end/);
    });
});
