import assert from 'node:assert/strict';
import { uuidOf } from '../../domains/catalog/testing.ts';
import { newId } from '../../kernel/ids.ts';
import { until } from '../../testing/until.ts';
import type { AgentFixture } from '../testing.ts';

/** The tool whose calls can be tasks. */
export const WAITING_TOOL = 'wait_for_processing';
export const DAY_MS = 24 * 3_600_000;

/** The parts of a JSON-RPC response that tests of tasks use. */
export interface Message {
  readonly result?: Record<string, unknown> & {
    readonly task?: Record<string, unknown> & { readonly taskId: string; readonly ttl: number };
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: {
      readonly waitForProcessing: { readonly status: string; readonly content: { readonly id: string } };
    };
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface Processing {
  readonly contentId: string;
  end(status: 'COMPLETE' | 'ERROR' | 'CANCELLED'): Promise<unknown>;
  /** Another job of the same content. */
  beginAgain(): Promise<unknown>;
}

/** A content of the owner that is being processed, at 40 %. */
export async function processing(fixture: AgentFixture): Promise<Processing> {
  const contentId = await fixture.things.content({ status: 'PROCESSING' });
  const begin = async () => {
    const id = newId();
    const at = new Date(fixture.api.clock.now()).toISOString();
    await fixture.api.rows(
      'insert into transcode_jobs (id, channel_id, content_id, status, progress, created_at) values ($1, $2, $3, ' +
        `'TRANSCODING', 40, $4)`,
      [id, fixture.owner.channelId, uuidOf(contentId), at],
    );
    return id;
  };
  const jobId = await begin();
  const end: Processing['end'] = (status) =>
    fixture.api.rows(
      'update transcode_jobs set status = $2, finished_at = now(), error_message = case ' +
        `when $2 = 'ERROR' then 'No sound, no picture.' end where id = $1`,
      [jobId, status],
    );
  return { contentId, end, beginAgain: begin };
}

export interface Sending {
  /** Defaults to the owner's. */
  readonly key?: string;
  /** Defaults to the first instance's. */
  readonly address?: string;
}

/** Sends a JSON-RPC request; the response is JSON or an event stream. */
export async function send(
  fixture: AgentFixture,
  { method, params, headers }: { method: string; params: object; headers: Record<string, string> },
  { key = fixture.key, address = fixture.address }: Sending = {},
): Promise<Message> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  return JSON.parse(
    text.startsWith('{') ? text : (text.match(/^data: (\{.*\})$/m)?.[1] ?? assert.fail(`${response.status} ${text}`)),
  );
}

/** Resolves after a few more polls of the waits for processing. */
export async function waitsMeanwhile({ api }: AgentFixture): Promise<'waits'> {
  const before = api.platform.db.statistics.statements;
  await until(() => api.platform.db.statistics.statements >= before + 4);
  return 'waits';
}
