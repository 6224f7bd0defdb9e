import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decide } from '../../../kernel/policy.ts';
import { CONTENT_ACTIONS, type ContentFacts } from './content.policy.ts';
import { CONTENT_STATUSES, type ContentAction, type ContentStatus, LIFECYCLE, refusal } from './lifecycle.ts';

const ACTIONS = Object.keys(LIFECYCLE) as ContentAction[]; // Object.keys loses the literal type

const decideAction = (action: ContentAction, facts: ContentFacts | null) =>
  decide(CONTENT_ACTIONS[action], facts, 'id');
const allows = (action: ContentAction, status: ContentStatus) =>
  decideAction(action, { member: true, may: true, open: false, status }) === null;

describe('lifecycle of a content', () => {
  const expected: Record<ContentAction, string> = {
    update: 'DRAFT PROCESSING READY FAILED PUBLISHED',
    addImage: 'DRAFT PROCESSING READY FAILED PUBLISHED',
    addVideo: 'DRAFT READY FAILED',
    replaceVideo: 'READY FAILED PUBLISHED',
    process: 'DRAFT PROCESSING READY FAILED',
    processAgain: 'DRAFT PROCESSING READY FAILED PUBLISHED',
    publish: 'READY PUBLISHED',
    publishWhenReady: 'DRAFT PROCESSING READY PUBLISHED',
    unpublish: 'DRAFT PROCESSING READY PUBLISHED',
    delete: 'DRAFT PROCESSING READY FAILED PUBLISHED',
    restore: 'DRAFT PROCESSING READY FAILED PUBLISHED',
    purge: 'DRAFT PROCESSING READY FAILED PUBLISHED',
  };
  for (const action of ACTIONS) {
    it(`allows ${action} in ${expected[action]} only`, () => {
      assert.deepEqual(
        CONTENT_STATUSES.filter((status) => allows(action, status)),
        expected[action].split(' '),
      );
    });
  }

  it('explains every refusal and suggests a fix', () => {
    for (const action of ACTIONS) {
      for (const status of CONTENT_STATUSES.filter((each) => !allows(action, each))) {
        const error = refusal(action, status, 'id');
        assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
        assert.match(error.message, /^This content cannot be .+: it .+\.$/);
        assert.match(error.suggestedFix, /[a-z]+[A-Z]\w+/, 'names an operation');
      }
    }
  });
});

describe('who may act on a content', () => {
  const facts = (may: boolean, open: boolean, status: ContentStatus, member = may) => ({ member, may, open, status });
  const cases: [string, ReturnType<typeof facts> | null, string | null][] = [
    ['nothing there', null, 'RESOURCE_NOT_FOUND'],
    ['someone else’s private content', facts(false, false, 'READY'), 'RESOURCE_NOT_FOUND'],
    ['someone else’s published content', facts(false, true, 'PUBLISHED'), 'UNAUTHORIZED'],
    ['content of a channel one may only look at', facts(false, false, 'READY', true), 'UNAUTHORIZED'],
    ['own content in a wrong state', facts(true, false, 'DRAFT'), 'INVALID_INPUT'],
    ['own content that is ready', facts(true, false, 'READY'), null],
    ['own content that is published already', facts(true, true, 'PUBLISHED'), null],
  ];
  for (const [name, given, code] of cases) {
    it(`${code === null ? 'allows' : `returns ${code} for`} ${name}`, () => {
      assert.equal(decideAction('publish', given)?.code ?? null, code);
    });
  }

  it('returns the same error for a missing and a hidden content', () => {
    const [missing, hidden] = [decideAction('delete', null), decideAction('delete', facts(false, false, 'DRAFT'))];
    assert.deepEqual(
      [missing?.message, missing?.suggestedFix, missing?.field],
      [hidden?.message, hidden?.suggestedFix, hidden?.field],
    );
  });
});
