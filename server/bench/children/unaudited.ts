// The service with its demo, and the same routes once more on another port with a group commit that keeps the rows of
// predictions alone: no audit entry, and so nothing to seal and to meter.
import { startService } from '../../src/app.ts';
import { seedDemo } from '../../src/commands/seed-demo.ts';
import { readConfig } from '../../src/config.ts';
import { openApi } from '../../src/http.ts';
import { openLog } from '../../src/lib/http/log.ts';
import { openMetrics } from '../../src/lib/metrics/metrics.ts';
import { predictionRows } from '../../src/resources/predictions/commit.ts';
import { openGroupCommit } from '../../src/trail/group-commit.ts';

const config = readConfig();
const service = await startService(config, 'all');
const { app, url } = service;
const unaudited = openGroupCommit(app.db, [predictionRows]);
const tools = { log: openLog('error'), metrics: openMetrics() };
const http = await openApi(config, { ...app, groupCommit: unaudited }, tools, {} as never);
const port = await http.listen(0, '127.0.0.1');
console.log(JSON.stringify({ audited: url, unaudited: `http://127.0.0.1:${port}` }));
await seedDemo(service, config.dataDir, () => {}, new AbortController().signal);
