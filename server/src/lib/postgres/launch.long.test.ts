import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  killAll,
  launchElsewhere,
  processesOf,
  query,
  reachableFolder,
  victims,
} from '../../../tests/support/samples/lib-postgres.ts';
import { launchPostgres } from './launch.ts';

const rounds = 20;

test.runIf(process.platform === 'linux')(
  'no acknowledged write is lost over rounds of kills in mid-write',
  async () => {
    const dataDir = reachableFolder();
    const kinds = Object.values(victims);
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const { node } = await launchElsewhere(dataDir);
      const second = await launchPostgres({ dataDir, log: () => {} });
      await second.close();
      await query(second.connection, 'create table if not exists written (n int primary key)');
      let isOver = false;
      const writing = (async () => {
        while (!isOver) {
          await query(second.connection, `insert into written values (${acknowledged + 1})`);
          acknowledged++;
        }
      })().catch(() => {});
      await sleep(100 + 20 * round);
      killAll([node.pid!, ...kinds[round % kinds.length](processesOf(dataDir))]);
      // An orphaned server goes on serving until it is found.
      const postgres = await launchPostgres({ dataDir, log: () => {} });
      isOver = true;
      await writing;
      const kept = await query(postgres.connection, 'select n from written order by n');
      // The last write may have been kept although its answer did not arrive.
      expect([acknowledged, acknowledged + 1]).toContain(kept.length);
      acknowledged = kept.length;
      await postgres.close();
    }
    expect(acknowledged).toBeGreaterThan(rounds);
    await rm(dataDir, { recursive: true });
  },
);
