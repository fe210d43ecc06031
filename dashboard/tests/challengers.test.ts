/** What challengers would answer, and what the log and watching say of who answers. */
import { expect, test } from 'vitest';
import { idsFrom } from '../../server/src/lib/crypto/ids.ts';
import { watchModels } from '../../server/src/resources/monitors/watch.ts';
import { answerShadows } from '../../server/src/resources/shadows/answer.ts';
import { prepareJourneys } from './journeys.ts';
import { axeViolations, settled } from './pages.ts';

const journey = prepareJourneys();

test('a version is put in the shadow of an alias, shows how its answers differ, stops, and is taken out', async () => {
  const { page } = journey.shown;
  const { service, tenant, model, versions } = journey.lender;
  const path = `/models/${model}/versions/${versions[1]}?tab=shadow`;
  await page.goto(path);
  await page.getByText('Not in the shadow of an alias').waitFor();
  await page.getByRole('button', { name: 'Put in the shadow' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('slider', { name: 'Share' }).press('Home');
  expect(await dialog.getByRole('spinbutton', { name: 'Share in percent' }).inputValue()).toBe('0');
  await dialog.getByRole('spinbutton', { name: 'Share in percent' }).fill('100');
  await dialog.getByLabel('Accept from this score on').fill('1200');
  await dialog.getByText('A score is 0 to 1,000.').waitFor();
  await dialog.getByLabel('Accept from this score on').fill('600');
  await dialog.getByRole('button', { name: 'Put in the shadow' }).click();
  await page.getByText('Waiting for first answers').waitFor();
  const shadow = async () => (await tenant.client.get(`/v1/api/models/${model}/shadows/${versions[1]}`)).body;
  expect(await shadow()).toMatchObject({ alias: 'production', share: 1, cutoff: { score: 600 } });
  for (let c = 0; c < 12; c++)
    await tenant.client.post('/v1/api/prediction/credit/production', { customer_id: `c${c}` });
  const answer = async () => {
    await answerShadows(service.service.app);
    return (await shadow()).answered;
  };
  await expect.poll(answer, { timeout: 120_000 }).toBe(12);
  await page.goto(path);
  const { comparison } = await shadow();
  const main = page.locator('main');
  await main.getByText('Answers', { exact: true }).first().waitFor();
  await main.getByRole('img', { name: /^Of 12 rows\. The stability index is/ }).waitFor();
  const migration = main.getByRole('table', { name: 'Bands before and after' });
  const counts = await migration.getByRole('cell').allInnerTexts();
  expect(counts.map(Number)).toEqual(comparison.migration.rows.flat());
  const decided = main.getByRole('table', { name: 'What would be decided otherwise' });
  for (const [name, group] of [
    ['Accepted only after', 'swapped_in'],
    ['Refused by both', 'kept_out'],
  ] as const)
    expect(await decided.getByRole('row', { name }).getByRole('cell').nth(1).innerText()).toBe(
      String(comparison.decisions[group].rows),
    );
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByRole('spinbutton', { name: 'Share in percent' }).fill('0');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await main.getByText('Stopped: it answers none').waitFor();
  expect(await shadow()).toMatchObject({ share: 0, cutoff: { score: 600 }, answered: 12 });
  const { page: other } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('analyst') });
  await other.goto(path);
  await other.getByText('Parada: não responde a nenhuma').waitFor();
  expect(await other.getByRole('button', { name: /Alterar|Tirar/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'Take out' }).click();
  await dialog.getByRole('button', { name: 'Take out' }).click();
  await page.getByText('Not in the shadow of an alias').waitFor();
  expect((await tenant.client.get(`/v1/api/models/${model}/shadows`)).body.data).toEqual([]);
});

test('a version answers a share of an alias past gates that a Creator overrides, both sides are shown, and it ends', async () => {
  const { page } = journey.shown;
  const { tenant, model, versions } = journey.lender;
  const path = `/models/${model}/versions/${versions[1]}?tab=shadow`;
  const split = async () => (await tenant.client.get(`/v1/api/models/${model}/aliases/production/split`)).body;
  await page.goto(path);
  await page.getByText('It answers no share of an alias.').waitFor();
  await page.getByRole('button', { name: 'Answer a share' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Share in percent').fill('100');
  expect(await dialog.getByRole('button', { name: 'Answer a share' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Share in percent').fill('60');
  await dialog.getByRole('button', { name: 'Answer a share' }).click();
  const reason = dialog.getByRole('textbox', { name: 'Why' });
  await reason.or(page.getByRole('button', { name: 'Change the share' })).waitFor();
  if (await reason.isVisible()) {
    await reason.fill('it is tried on a share of callers');
    await dialog.getByRole('button', { name: 'Answer all the same' }).click();
  }
  await page.getByRole('button', { name: 'Change the share' }).waitFor();
  expect(await split()).toMatchObject({ version_id: versions[1], share: 0.6 });
  const by = async () => {
    const asked = Array.from({ length: 12 }, (_, c) =>
      tenant.client.post('/v1/api/prediction/credit/production', { customer_id: `c${c}` }),
    );
    return new Set((await Promise.all(asked)).map(({ body }) => body.version_id)).size;
  };
  await expect.poll(by, { timeout: 120_000 }).toBe(2);
  await page.goto(path);
  const main = page.locator('main');
  const sides = main.getByRole('table', { name: 'Both sides' });
  const { arms } = await split();
  for (const [at, { answers }] of arms.entries())
    expect(
      await sides
        .getByRole('row')
        .nth(at + 1)
        .getByRole('cell')
        .nth(2)
        .innerText(),
    ).toBe(String(answers));
  await main.getByRole('table', { name: 'Answers by band' }).waitFor();
  await main.getByText('Nothing has come of them whose window has closed.').waitFor();
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  const { page: other } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('analyst') });
  await other.goto(path);
  await other.getByRole('table', { name: 'Os dois lados' }).waitFor();
  expect(await other.getByRole('button', { name: /Alterar a parte|Encerrar/ }).count()).toBe(0);
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await dialog.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByText('It answers no share of an alias.').waitFor();
  expect((await split()).code).toBe('not_found');
});

test('a backtest is started for days and at a cutoff, says what would be decided otherwise, and is deleted', async () => {
  const { page } = journey.shown;
  const { tenant, model, versions } = journey.lender;
  const path = `/models/${model}/versions/${versions[1]}?tab=backtests`;
  const listed = async () =>
    (await tenant.client.get(`/v1/api/models/${model}/versions/${versions[1]}/backtests`)).body.data;
  await page.goto(path);
  await page.getByText('No backtest yet').waitFor();
  const dialog = page.getByRole('dialog');
  const start = async (fill: () => Promise<void>) => {
    await page.getByRole('button', { name: 'New backtest' }).first().click();
    await fill();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [{ id }] = await listed();
    await page.waitForURL((url) => url.searchParams.get('backtest') === id);
    return (await tenant.client.finished(`/v1/api/backtests/${id}`)).body;
  };
  const before = await start(async () => {
    await dialog.getByLabel('Until', { exact: true }).fill('2024-02-01');
    await dialog.getByLabel('From', { exact: true }).fill('2024-03-01');
    await dialog.getByText('“From” lies after “Until”').waitFor();
    await dialog.getByLabel('From', { exact: true }).fill('2024-01-01');
  });
  expect(before).toMatchObject({ from: '2024-01-01T03:00:00.000Z', until: '2024-02-02T03:00:00.000Z' });
  await page.getByText('No predictions of this time').waitFor();
  // Some of them were asked forty days earlier.
  const early = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
  const { pool } = journey.lender.service.owner;
  await pool.query(
    `insert into predictions select (jsonb_populate_record(p, jsonb_build_object('created_at', $1::timestamptz,
       'id', $2 || '7aaa' || lpad((row_number() over (order by id))::text, 16, '0')))).*
     from predictions as p where model_id = $3 limit 12`,
    [early, idsFrom('prd', early.getTime()), model],
  );
  const done = await start(() => dialog.getByLabel('Accept from this score on').fill('600'));
  expect(done, JSON.stringify(done)).toMatchObject({ status: 'succeeded', cutoff: { score: 600 }, compare_with: null });
  await pool.query('delete from predictions where created_at = $1', [early]);
  const { result } = done;
  expect(result.rows.compared).toBeGreaterThan(20);
  const main = page.locator('main');
  await main.getByText(/^Accepted from a score of 600 on\./).waitFor();
  const rowsOf = (name: string) => main.getByRole('table', { name }).getByRole('row');
  await expect.poll(() => rowsOf('By month').count()).toBe(1 + result.by_month.length);
  await expect.poll(() => rowsOf('By band before').count()).toBe(1 + result.by_group.length);
  expect(result.by_month).toHaveLength(2);
  expect(result.by_month[0].rows).toBe(12);
  await main.getByRole('img', { name: 'What both answered on average in each month.' }).waitFor();
  expect(await rowsOf('By month').nth(1).getByRole('cell').nth(1).innerText()).toBe(String(result.by_month[0].rows));
  expect(
    (await main.getByRole('table', { name: 'Bands before and after' }).getByRole('cell').allInnerTexts()).map(Number),
  ).toEqual(result.migration.rows.flat());
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  const all = rowsOf('All backtests of this version');
  expect(await all.count()).toBe(3);
  // One beyond those that are listed has an address all the same.
  await page.route(/\/backtests\?limit=20$/, (route) =>
    route.continue({ url: route.request().url().replace('limit=20', 'limit=1') }),
  );
  await page.goto(`${path}&backtest=${before.id}`);
  await page.getByText('No predictions of this time').waitFor();
  expect(await all.count()).toBe(2);
  await page.unrouteAll();
  await page.goto(`${path}&backtest=${done.id}`);
  await all.nth(2).getByRole('button').click();
  await page.getByText('No predictions of this time').waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => all.count()).toBe(2);
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([done.id]);
  const { page: other } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('analyst') });
  await other.goto(path);
  await other.getByText(/^Aceito a partir do score 600\./).waitFor();
  expect(await other.getByRole('button', { name: /Novo backtest|Excluir/ }).count()).toBe(0);
  expect(await other.locator('main [lang="en"]').count()).toBe(0);
});

test('predictions are replayed by their days, and the list says which are the same and where others differ', async () => {
  const { page } = journey.shown;
  const { service, tenant, prediction } = journey.lender;
  await page.goto('/predictions');
  await page.getByRole('link', { name: 'Replays' }).click();
  await page.getByText('No replay yet').waitFor();
  const start = async () => {
    await page.getByRole('button', { name: 'New replay' }).first().click();
    await page.getByRole('dialog').getByLabel('From').fill('2024-01-01');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    const drawer = page.getByRole('complementary', { name: 'Replay' });
    await drawer.getByText('Succeeded').waitFor();
    return drawer;
  };
  await start();
  const [first] = (await tenant.client.get('/v1/api/replays')).body.data;
  expect(first.identical).toBeGreaterThan(20);
  const table = page.getByRole('table', { name: 'Replays' });
  await table.getByText(`${first.identical} the same`).waitFor();
  await service.owner.pool.query(`update predictions set outputs = outputs || '{"score": 1}' where id = $1`, [
    prediction,
  ]);
  await page.keyboard.press('Escape');
  const drawer = await start();
  await table.getByText(`1 of ${first.total} differ`).waitFor();
  await drawer.getByText('/score', { exact: true }).waitFor();
  await settled(page);
  expect(await axeViolations(page)).toEqual([]);
  await drawer.getByTitle(prediction).click();
  await page.waitForURL(
    ({ pathname, searchParams: search }) => `${pathname} ${search.get('open')}` === `/predictions ${prediction}`,
  );
  const { page: other } = await journey.open({
    ...{ language: 'pt-BR', width: 390 },
    cookie: await journey.signIn('developer'),
  });
  await other.goto('/predictions/replays');
  await other.getByText(`1 de ${first.total} diferem`).waitFor();
});

test('the tab Monitoring shows answers now and before, and an alarm of what has moved, in both languages', async () => {
  const { service, tenant, model, versions } = journey.lender;
  const { owner } = service;
  const version = await tenant.client.get(`/v1/api/models/${model}/versions/${versions[0]}`);
  const fields = version.body.outputs.map(({ name }: { name: string }) => name);
  const deciding = fields.findLast((name: string) => name.startsWith('pd_'));
  await owner.pool.query(`update model_versions set created_at = now() - interval '90 days' where id = $1`, [
    versions[0],
  ]);
  // Five weeks of answers, which are far worse in the last of them.
  await owner.pool.query(
    `insert into predictions (id, organization_id, workspace_id, model_id, version_id, snapshot_id, as_of, inputs,
        outputs, request_id, created_at, channel)
      select 'prd_' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7aaa' || lpad(n::text, 16, '0'),
        $1, $2, $3, $4, 'snp_1', at, '{}', jsonb_build_object($5::text, case when at > now() - interval '8 days'
          then 0.9 + 0.0001 * (n % 100) else ((n * 7919) % 1000) / 1000.0 end), 'req_1', at, 'api'
      from (select n, now() - interval '34 days' + n * interval '34 days' / 2000 as at from generate_series(1, 1990) as n) as made`,
    [tenant.ctx.organizationId, tenant.ctx.workspaceId, model, versions[0], deciding],
  );
  await owner.pool.query(
    `insert into rollbacks (id, organization_id, workspace_id, model_id, alias, from_version_id, to_version_id, reason,
        created_at) values ('rbk_1', $1, $2, $3, 'challenge', $4, $5, '[]', now())`,
    [tenant.ctx.organizationId, tenant.ctx.workspaceId, model, versions[0], versions[1]],
  );
  // What the service has looked at by itself when it started is looked at again.
  await owner.pool.query('delete from monitored_versions where version_id = $1', [versions[0]]);
  expect(await watchModels(service.service.app)).toBeGreaterThan(0);
  const path = `/models/${model}/versions/${versions[0]}?tab=monitoring`;
  // Refusals are answers that the browser tells of.
  const { page } = await journey.open({ allowed: /status of (412|422)/ });
  await page.goto(path);
  const alarms = page.getByRole('table', { name: 'Alarms' });
  await alarms.getByText(`${deciding} (values)`).waitFor();
  await alarms.getByText('Drift', { exact: true }).waitFor();
  await page.getByRole('img', { name: /^PSI / }).waitFor();
  const asked = page.getByRole('table', { name: 'What it is asked, and reads' });
  await asked.getByText('Named somebody unknown').waitFor();
  const { body: others } = await tenant.client.get(`/v1/api/models/${model}/alarms?version=${versions[1]}`);
  expect(others.data).toEqual([]);
  await page.getByRole('button', { name: 'Change how it is watched' }).click();
  const dialog = page.getByRole('dialog');
  const save = dialog.getByRole('button', { name: 'Save' });
  const day = dialog.getByLabel('Held against answers from');
  await dialog.getByRole('checkbox', { name: 'Roll back by itself' }).check();
  await dialog.getByLabel('Days after taking over').fill('0');
  await dialog.getByText('A whole number of 1 to 365.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await dialog.getByLabel('Days after taking over').fill('14');
  await day.fill('2100-01-01');
  await save.click();
  await dialog
    .getByRole('alert')
    .getByText(/must be a day/)
    .waitFor();
  expect(await day.getAttribute('aria-invalid')).toBe('true');
  await day.fill('2024-01-01');
  // What somebody else has set meanwhile is not written over unseen.
  const monitor = `/v1/api/models/${model}/monitor`;
  await tenant.client.send('PUT', monitor, { body: { outcomes_min: 300 } });
  await save.click();
  await dialog.getByRole('button', { name: 'Show what it is now' }).click();
  await expect.poll(() => dialog.getByLabel('Fewest outcomes').inputValue()).toBe('300');
  await dialog.getByRole('checkbox', { name: 'Roll back by itself' }).check();
  await dialog.getByLabel('Days after taking over').fill('14');
  await day.fill('2024-01-01');
  expect(await axeViolations(page)).toEqual([]);
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  expect((await tenant.client.get(monitor)).body).toMatchObject({
    ...{ enabled: true, auto_rollback: true, rollback_days: 14, outcomes_min: 300, reference_from: '2024-01-01' },
  });
  const back = page.getByRole('table', { name: 'Rolled back' });
  await back.getByRole('link', { name: 'v2', exact: true }).click();
  await page.waitForURL((url) => url.pathname.endsWith(versions[1]));
  const { page: other } = await journey.open({ language: 'pt-BR', cookie: await journey.signIn('developer') });
  await other.goto(path);
  await other.getByRole('table', { name: 'Alarmes' }).getByText('Mudança nos dados').waitFor();
  await settled(other);
});
