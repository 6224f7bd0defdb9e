import type { KeyUse, UsageLimits } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { KEY_BUDGETS, type UsageCharge } from '../../../kernel/key-budgets.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { type Repeated, repeat } from '../../../platform/repeat.ts';
import { forgetKeyActions, type KeyAction, recordKeyUses } from './api-key-audit-log.store.ts';
import { chargeUsage, refundUsage, type UsageDecision } from './usage-limits.store.ts';

/** How long entries of the audit log are kept. */
export const ACTIVITY_DAYS = 90;
const WRITE_DELAY_MS = 100;
/** How many entries wait while the database is unavailable, and how often writing is retried. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;
const FORGET_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Tools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Enforces the usage limits of keys and writes their audit log: entries are written every 100 ms in one statement. */
export class StoredKeyWatch implements UsageLimits {
  readonly #tools: Tools;
  readonly #forgetting: Repeated;
  #noted: KeyAction[] = [];
  #isClosed = false;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(tools: Tools) {
    this.#tools = tools;
    const forgetSome = async () =>
      (await forgetKeyActions(tools.db, new Date(tools.clock.now() - ACTIVITY_DAYS * DAY_MS).toISOString())) > 0;
    this.#forgetting = repeat(
      tools.log,
      'old audit log entries of API keys were not deleted, will be retried',
      FORGET_MS,
      forgetSome,
    );
  }

  async spend(accountId: string, charges: readonly UsageCharge[], nowMs: number): Promise<() => Promise<void>> {
    const { db } = this.#tools;
    const taken: string[] = [];
    const giveBack = async () => {
      if (taken.length > 0) await refundUsage(db, taken);
    };
    for (const charge of charges) {
      const id = newId(nowMs);
      const decision = await chargeUsage(db, accountId, charge, new Date(nowMs).toISOString(), id);
      if (decision && !decision.allowed) {
        await giveBack();
        throw refusal(charge, decision, nowMs);
      }
      if (decision && charge.amount > 0) taken.push(id);
    }
    return giveBack;
  }

  record(use: KeyUse): void {
    this.#noted.push({ ...use, id: newId(use.atMs) });
    this.#schedule(WRITE_DELAY_MS);
  }

  /** Writes the entries recorded so far. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), delayMs);
  }

  async #write(): Promise<void> {
    const uses = this.#noted;
    this.#noted = [];
    if (uses.length === 0) return;
    try {
      await recordKeyUses(this.#tools.db, uses);
    } catch (error) {
      const mayPass = error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
      if (!mayPass || this.#isClosed || uses.length > MAX_WAITING) {
        this.#tools.log.error({ error, uses }, 'audit log entries of API keys could not be written');
        return;
      }
      this.#noted = [...uses, ...this.#noted];
      this.#schedule(RETRY_MS);
    }
  }

  startWork(): void {
    this.#forgetting.start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#forgetting.stop();
    await this.flush();
  }
}

function refusal({ budget, amount }: UsageCharge, { per, spent, retryAt }: UsageDecision, nowMs: number): AppError {
  const [limit, left] = [KEY_BUDGETS[budget](per), Math.max(0, per - spent)];
  return new AppError(
    'RATE_LIMIT_EXCEEDED',
    amount > 1
      ? t`The API key's limit of ${limit} has ${left} left; this call needs ${amount}.`
      : t`The API key's limit of ${limit} has ${left} left.`,
    {
      suggestedFix: t`Ask the owner of the key to change the limit in Developer Settings, or wait: usage expires as
        time passes.`,
      ...(retryAt === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(retryAt) - nowMs) / 1000)) }),
    },
  );
}
