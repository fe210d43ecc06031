/** What is done with data and models; test support. */
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { graphModel, tenant } from '../../src/access/transactions.ts';
import { workspaceContext } from '../../src/access/workspace-context.ts';
import { newId } from '../../src/lib/crypto/ids.ts';
import { announceGfmVersions } from '../../src/resources/gfm-versions/announce.ts';
import { rollBack } from '../../src/resources/models/roll-back.ts';
import { settleAlarm } from '../../src/resources/monitors/alarms/settle.ts';
import { filesOf, flip } from '../damage.ts';
import { contractText, makeBatch, makeWorld, type World } from '../world.ts';
import { done, join as joinAs, type Stage } from './stage.ts';

const canary = 'acts';

export async function actOnData(stage: Stage): Promise<World> {
  const { client } = stage;
  const world = await makeWorld(stage, canary, 1);
  await actOnFiles(stage, world);
  await actOnBatches(stage, world);
  await actOnModels(stage, world);
  await actOnReplays(stage, world);
  const { body } = await done(client.post('/v1/api/contracts', { document: contractText('other') }));
  await done(client.post(`/v1/api/contracts/${body.id}/rejection`));
  const odd = await client.upload('odd.csv', 'customer_id,since\nactsC1,never\n');
  const asked = await done(client.post('/v1/api/ingestions', { files: [{ file_id: odd, table: 'customers' }] }));
  const refused = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(refused.body.status, refused.text).toBe('refused');
  return world;
}

async function actOnFiles({ client, service }: Stage, { file }: World): Promise<void> {
  await done(client.get(`/v2/api/files/${file}/content`));
  await done(client.get('/v1/api/tables/customers/rows'));
  const own = await client.upload('damaged.csv', 'a,b\n1,2\n');
  const [, path] = [...filesOf(join(service.folder, 'files'))].find(([key]) => key.includes(own))!;
  flip(path, 3);
  const damaged = await client.get(`/v2/api/files/${own}/content`).catch((error: Error) => error);
  expect(damaged instanceof Error || damaged.status >= 400).toBe(true);
  await done(client.send('DELETE', `/v2/api/files/${own}`));
}

async function actOnBatches({ client }: Stage, { batch, file, model, alias }: World): Promise<void> {
  const { body: result } = await done(client.get(`/v2/api/batches/${batch}/result`));
  const [{ download_url: url }] = result.files;
  const downloaded = await fetch(url);
  expect(downloaded.status, await downloaded.text()).toBe(200);
  const { body: open } = await done(client.post('/v2/api/batches', { files: [file], model: `${model}/${alias}` }));
  await done(client.post(`/v2/api/batches/${open.id}/interrupt`));
  const spent = await makeBatch(client, canary, `${model}/${alias}`);
  await done(client.send('DELETE', `/v2/api/batches/${spent}/result`));
}

/** Of a prediction that somebody has changed in the database. */
async function actOnReplays({ client, service }: Stage, { prediction }: World): Promise<void> {
  await done(client.post(`/v1/api/predictions/${prediction}/replay`));
  const change = `update predictions set outputs = outputs || '{"prediction": 2}' where id = $1`;
  await service.owner.pool.query(change, [prediction]);
  const { body: replay } = await done(client.post('/v1/api/replays', { predictions: { ids: [prediction] } }));
  expect((await client.finished(`/v1/api/replays/${replay.id}`)).body.different).toBe(1);
}

/** A version that fails is told of, and rolled back. */
async function failModel({ client, creator, service }: Stage, { model, version, spare }: World): Promise<void> {
  await done(client.send('PUT', `/v1/api/models/${model}/monitor`, { body: { auto_rollback: true } }));
  for (const id of [version, spare])
    await done(
      client.send('PUT', `/v1/api/models/${model}/aliases/failing`, {
        body: { version_id: id, override: { reason: 'so that it can fail' } },
      }),
    );
  const { db } = service.service.app;
  const ctx = await workspaceContext(db, creator.workspace);
  const beyond = { name: 'prediction', kind: 'score', of: 'break', value: 1, threshold: 0.5 };
  const now = new Date();
  const moved = await tenant(db, ctx, async (tx) => {
    const about = { modelId: model, modelName: canary, versionId: spare };
    for (const kind of ['drift', 'performance'] as const)
      await settleAlarm(tx, ctx, about, kind, undefined, [beyond], now);
    return rollBack(tx, ctx, { ...about, reason: [beyond], signals: ['prediction'] }, { days: 1, now });
  });
  expect(moved).toEqual(['failing']);
  await done(client.send('DELETE', `/v1/api/models/${model}/aliases/failing`));
}

/** Approves a version as somebody else than who had it trained, and moves an alias to it past gates that it fails. */
async function passGates(stage: Stage, { model, version, spare }: World): Promise<void> {
  const put = (path: string, body: object) =>
    done(stage.client.send('PUT', `/v1/api/models/${model}/${path}`, { body }));
  await put('gates', { checks: { rank_consistency: { threshold: 2 } } });
  await put('aliases/guarded', { version_id: version });
  await put('aliases/guarded', { version_id: spare, override: { reason: 'every act is done once' } });
  await done(stage.client.send('DELETE', `/v1/api/models/${model}/aliases/guarded`));
  const { browser } = await joinAs(stage, 'approver', { path: '/v1/api/invitations' });
  const workspace = { 'lastro-workspace': stage.creator.workspace };
  const approvals = `/v1/api/models/${model}/versions/${spare}/approvals`;
  await done(browser.send('POST', approvals, { alias: 'approved' }, workspace));
}

/** An entity of a list that was told with another score a few days ago. */
async function actOnWatchLists({ client, service }: Stage, { model, alias }: World): Promise<void> {
  const asked = { name: canary, model: `${model}/${alias}`, keys: [`${canary}C1`] };
  const { body: list } = await done(client.post('/v1/api/watch-lists', asked));
  const path = `/v1/api/watch-lists/${list.id}`;
  const rested = () => vi.waitUntil(async () => (await client.get(path)).body.is_due === false, { timeout: 30_000 });
  await rested();
  await done(client.send('PATCH', path, { body: { threshold: { difference: 0.5 } } }));
  const { pool } = service.owner;
  await pool.query('update watch_list_entries set told_score = told_score + 1 where list_id = $1', [list.id]);
  await pool.query("update watch_lists set as_of = as_of - interval '2 days' where id = $1", [list.id]);
  await rested();
  expect((await client.get(path)).body.moves).toBe(1);
  await done(client.send('DELETE', path));
}

async function splitAlias({ client }: Stage, { model, alias, spare }: World): Promise<void> {
  const path = `/v1/api/models/${model}/aliases/${alias}/split`;
  await done(client.send('PUT', path, { body: { version_id: spare, share: 0.5 } }));
  await done(client.send('DELETE', path));
}

async function actOnModels(stage: Stage, world: World): Promise<void> {
  await splitAlias(stage, world);
  await failModel(stage, world);
  await passGates(stage, world);
  const { client, service } = stage;
  const { model, version, alias, spare, encoder, backtest } = world;
  const asked = { inputs: { customer_id: `${canary}C1` }, changeable: [] };
  await done(client.post(`/v1/api/prediction/${model}/${alias}/counterfactuals`, asked));
  await actOnWatchLists(stage, world);
  await done(client.post(`/v1/api/models/${model}/versions/${spare}/deactivation`));
  await done(client.send('PUT', `/v1/api/models/${model}/aliases/other`, { body: { version_id: version } }));
  await done(client.send('DELETE', `/v1/api/models/${model}/aliases/other`));
  await done(client.send('DELETE', `/v1/api/models/${model}/shadows/${spare}`));
  await done(client.send('DELETE', `/v1/api/backtests/${backtest}`));
  const definition = 'PREDICT exists(orders) WITHIN 30d FOR customers';
  const { body: task } = await done(client.post('/v1/api/tasks', { name: 'passing', definition }));
  const { body: run } = await done(client.post('/v1/api/training-runs', { task_id: task.id }));
  await done(client.post(`/v1/api/training-runs/${run.id}/interrupt`));
  await done(client.send('DELETE', `/v1/api/models/${run.model_id}`));
  await done(client.send('DELETE', `/v1/api/tasks/${task.id}`));
  // Of which all labels are the same, so that nothing can be learned.
  const always = { name: 'always', definition: 'PREDICT count(orders) >= 0 WITHIN 30d FOR customers' };
  const { body: same } = await done(client.post('/v1/api/tasks', always));
  const { body: vain } = await done(client.post('/v1/api/training-runs', { task_id: same.id }));
  expect((await client.finished(`/v1/api/training-runs/${vain.id}`)).body.status).toBe('failed');
  await done(client.post(`/v1/api/entities/customers/${canary}C1/reveal`));
  await done(client.post('/v1/api/embeddings', { keys: [`${canary}C1`], rfm_version_id: encoder }));
  await done(client.get(`/v1/api/rfm-versions/${encoder}/export`));
  const { app } = service.service;
  const id = newId('gfm');
  const released = {
    ...{ id, name: 'acts-1', model_snapshot: 'acts-1@2026-01-01', generated_at: new Date(), is_synthetic: true },
    ...{ files: '{}', storage_prefix: `gfm/${id}/` },
  };
  await graphModel(app.db, (tx) => tx.insertInto('gfm_versions').values(released).execute());
  await announceGfmVersions(app);
  await done(client.post(`/v1/api/gfm-versions/${id}/adoption`));
}
