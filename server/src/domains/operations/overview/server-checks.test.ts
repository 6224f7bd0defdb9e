import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { localized } from '../../../kernel/languages/catalogs.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type ServerCheck, type ServerFacts, serverChecks } from './server-checks.ts';

const COMPLETE = { state: 'complete', method: 'bubblewrap', protections: {}, advice: [] } as const;
const HEALTHY: ServerFacts = {
  checks: {
    database: { ok: true, ms: 2 },
    migrations: { ok: true, ms: 1 },
    objectStore: { ok: true, ms: 1 },
    jobQueue: { ok: true, ms: 1 },
  },
  space: { kind: 'disk', totalBytes: 1_000, freeBytes: 600, reserveBytes: 100 },
  storedBytes: 300,
  workers: [{ host: 'alpha', sandbox: COMPLETE }],
  sandbox: { state: 'complete', details: { method: 'bubblewrap', protections: {}, advice: [] } },
  transport: 'SMTP',
  mail: { waiting: 0, failing: 0, oldestAt: null },
  jobsWaiting: 0,
};
const check = (facts: Partial<ServerFacts>, part: ServerCheck['part']): ServerCheck | undefined =>
  serverChecks({ ...HEALTHY, ...facts }).find((one) => one.part === part);

describe('checks of a server', () => {
  it('ask for nothing where everything works', () => {
    assert.deepEqual(
      serverChecks(HEALTHY).map(({ part, state, message, fix }) => [part, state, String(message), fix]),
      [
        ['DATABASE', 'OK', 'Responds in 2 ms.', null],
        ['OBJECT_STORE', 'OK', 'Files can be written and deleted.', null],
        ['DISK_SPACE', 'OK', '50 % of the storage is free.', null],
        ['WORKERS', 'OK', 'One worker runs.', null],
        ['SANDBOX', 'OK', 'Programs that read media are isolated completely.', null],
        ['MAIL', 'OK', 'Messages are sent by SMTP.', null],
      ],
    );
  });

  it('name what does not work, and the fix', () => {
    const failed = { ok: false, ms: 3_000 };
    const cases: readonly (readonly [Partial<ServerFacts>, ServerCheck['part'], ServerCheck['state'], RegExp])[] = [
      [{ checks: { ...HEALTHY.checks, migrations: failed } }, 'DATABASE', 'ERROR', /same version/],
      [{ checks: { ...HEALTHY.checks, jobQueue: failed } }, 'DATABASE', 'ERROR', /load of the database/],
      [{ checks: { ...HEALTHY.checks, objectStore: failed } }, 'OBJECT_STORE', 'ERROR', /Check STORAGE/],
      [
        { space: { kind: 'disk', totalBytes: 1_000, freeBytes: 100, reserveBytes: 100 } },
        'DISK_SPACE',
        'ERROR',
        /Delete contents/,
      ],
      [{ space: { kind: 'bucket', totalBytes: 333 } }, 'DISK_SPACE', 'WARNING', /Add storage soon/],
      [{ workers: [], jobsWaiting: 3 }, 'WORKERS', 'ERROR', /--role worker/],
      [
        { workers: [{ host: 'beta', sandbox: { ...COMPLETE, state: 'incomplete', advice: ['Install bubblewrap.'] } }] },
        'SANDBOX',
        'WARNING',
        /^Install bubblewrap\. Run reelgraph doctor/,
      ],
      [
        { sandbox: { state: 'refusing', details: { method: 'partial', protections: {}, advice: [] } } },
        'SANDBOX',
        'ERROR',
        /^Run reelgraph doctor/,
      ],
      [{ mail: { waiting: 5, failing: 2, oldestAt: null } }, 'MAIL', 'ERROR', /SMTP_URL/],
      [{ transport: 'FOLDER' }, 'MAIL', 'WARNING', /MAIL=smtp/],
    ];
    for (const [facts, part, state, fix] of cases) {
      const found = check(facts, part);
      assert.equal(found?.state, state, part);
      assert.match(String(found?.fix), fix);
    }
    const advice = ['Install bubblewrap.', t`bubblewrap does not work here: ${'bwrap: no namespace'}`];
    const stored = JSON.parse(JSON.stringify({ ...COMPLETE, state: 'incomplete', advice }));
    const { fix } = check({ workers: [{ host: 'beta', sandbox: stored }] }, 'SANDBOX') ?? {};
    assert.equal(
      localized(fix ?? '', 'de'),
      'Install bubblewrap. bubblewrap funktioniert hier nicht: bwrap: no namespace Führe reelgraph doctor auf dem ' +
        'Rechner aus; die Anleitung zum Selbsthosten erklärt es.',
    );
    assert.equal(check({ space: null }, 'DISK_SPACE')?.message, 'The storage has no known limit.');
    assert.equal(
      String(check({ mail: { waiting: 5, failing: 1, oldestAt: null } }, 'MAIL')?.message),
      'One message could not be delivered yet and will be retried for a day.',
    );
  });
});
