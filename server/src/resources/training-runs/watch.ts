import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../access/context.ts';
import { type Tx, tenant } from '../../access/transactions.ts';
import { refuse } from '../../errors.ts';
import type { Answer, Exchange } from '../../lib/http/server.ts';
import type { App } from '../app.ts';
import { finishedStatuses, presentRun } from './run.ts';
import { selectAuthEpoch, selectRunInTurn } from './sql.ts';

const pollMs = 500;
const heartbeatMs = 15_000;

/**
 * Sends a run as server-sent events (`run`), one for each change, until it has finished. The stream also ends when the
 * permissions in the workspace change; a caller who still has permission reconnects. Throws Failure 'not_found'.
 */
export async function watchRun(app: App, ctx: Context, id: string, exchange: Exchange): Promise<Answer> {
  const first = await tenant(app.db, ctx, (tx) => selectRunInTurn(tx, id));
  if (!first) throw refuse('not_found', `there is no training run ${id}`);
  let isOpen = true;
  exchange.onClose(() => {
    isOpen = false;
  });
  async function* events(): AsyncGenerator<string> {
    let row = first;
    let last = '';
    let spoke = Date.now();
    while (isOpen && row) {
      const { eta: _, ...state } = presentRun(row);
      const text = JSON.stringify(state);
      if (text !== last) {
        last = text;
        spoke = Date.now();
        yield `event: run\ndata: ${JSON.stringify(presentRun(row))}\n\n`;
      } else if (Date.now() - spoke > heartbeatMs) {
        spoke = Date.now();
        yield ': still here\n\n';
      }
      if (finishedStatuses.includes(row.status)) return;
      await sleep(pollMs);
      row = await tenant(app.db, ctx, async (tx) => ((await holds(tx, ctx)) ? selectRunInTurn(tx, id) : undefined));
    }
  }
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
    body: Readable.from(events()),
  };
}

/** Whether the permissions that were checked when the request arrived still hold. */
async function holds(tx: Tx, { workspaceId, authEpoch, expiresAt }: Context): Promise<boolean> {
  if (expiresAt !== null && expiresAt <= Date.now()) return false;
  return (await selectAuthEpoch(tx, workspaceId)) === authEpoch;
}
