// The service with its demo, and the same routes once more on another port with a group commit that keeps nothing: no
// audit entry, no row, and so nothing to seal and to meter.
import { sql } from 'kysely';
import { system } from '../../src/access/transactions.ts';
import { openApi, startService } from '../../src/app.ts';
import { seedDemo } from '../../src/commands/seed-demo.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/lib/http/log.ts';
import { openMetrics } from '../../src/lib/metrics/metrics.ts';
import type { Epochs, GroupCommit } from '../../src/trail/group-commit.ts';

const config = readConfig();
const service = await startService(config, 'all');
const { app, url } = service;
const epochs = new Map<string, Omit<Epochs, 'askedAt'>>();

const keepsNothing: GroupCommit = {
  async commit({ entry }) {
    const workspaceId = entry.workspaceId!;
    let known = epochs.get(workspaceId);
    if (!known) {
      known = await system(app.db, 'bench', async (tx) => {
        const { rows } = await sql<Omit<Epochs, 'askedAt'>>`
          select auth_epoch as auth, serving_epoch as serving from workspaces where id = ${workspaceId}`.execute(tx);
        return rows[0];
      });
      epochs.set(workspaceId, known);
    }
    return { ...known, askedAt: performance.now() };
  },
  async close() {},
};
const tools = { log: openLog('error'), metrics: openMetrics() };
const http = await openApi(config, { ...app, groupCommit: keepsNothing }, tools, {} as never);
const port = await http.listen(0, '127.0.0.1');
console.log(JSON.stringify({ audited: url, unaudited: `http://127.0.0.1:${port}` }));
await seedDemo(service, config.dataDir, () => {}, new AbortController().signal);
