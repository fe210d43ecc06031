/** What the document of a version tells of its life: its figures are those of the API, its history that of the trail. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenant as within } from '../src/access/transactions.ts';
import { newId } from '../src/lib/crypto/ids.ts';
import { rollBack } from '../src/resources/models/roll-back.ts';
import type { Tenant, TestService } from './service.ts';
import { startShop } from './support/samples/batches.ts';

let service: TestService;
let tenant: Tenant;
let model: string;
let own: string;
/** A version with the files of the trained one. */
const version = newId('ver');

beforeAll(async () => {
  ({
    service,
    tenant,
    returns: { model_id: model, version_id: own },
  } = await startShop());
  await sql`insert into model_versions
    select (jsonb_populate_record(v, jsonb_build_object('id', ${version}::text, 'number', 2))).*
    from model_versions v where id = ${own}`.execute(service.owner.kysely);
});
afterAll(() => service.close());

const path = (rest: string) => `/v1/api/models/${model}/${rest}`;

async function documentOf(language: 'en' | 'pt-BR'): Promise<string> {
  const { status, text } = await tenant.client.get(
    path(`versions/${version}/document?format=markdown&language=${language}`),
  );
  expect(status, text).toBe(200);
  return text.replaceAll('\\', '');
}

const figureIn = (language: string, value: number | null) =>
  value === null ? 'not measured' : new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(value);
const said = (value: number | null) => figureIn('en', value);

test('before anything was validated or watched, it says so', async () => {
  const text = await documentOf('en');
  expect(text).toContain('not measured: validate the version against the one that it would replace.');
  expect(text).toContain('not measured: the version has not answered enough, or is not watched.');
});

test('its newest validation is told with its checks and segments', async () => {
  const asked = await tenant.client.post(path(`versions/${version}/validations`), {
    compare_with: own,
    segments: ['segment'],
  });
  expect(asked.status, asked.text).toBe(202);
  const at = path(`versions/${version}/validations/${asked.body.id}`);
  const { body: ended } = await tenant.client.get(`${at}?wait=60`);
  expect(ended, JSON.stringify(ended.failure)).toMatchObject({ status: 'succeeded' });
  // The shop has too few labels to tell segments apart: these are as a larger one would have them.
  const part = {
    rows: 1_234,
    positives: 56,
    mean_predicted: 0.1,
    mean_observed: 0.2,
    model: 0.7891,
    compare_with: 0.7654,
  };
  const values = [
    { name: 'retail', ...part, gain: { value: 0.0237, low: -0.0123, high: 0.0597 } },
    { name: null, ...part, rows: 12, model: null, compare_with: null, gain: null },
  ];
  await sql`update validations set result = result || ${JSON.stringify({ segments: [{ column: 'segment', values }] })}::jsonb
    where id = ${asked.body.id}`.execute(service.owner.kysely);
  const { body: done } = await tenant.client.get(at);
  const text = await documentOf('en');
  expect(text).toContain(done.id);
  expect(text).toContain(`**Rows judged:** ${said(done.result.judged.rows)}`);
  const statuses: Readonly<Record<string, string>> = {
    ...{ passed: 'passed', failed: 'failed', cannot_tell: 'cannot be told' },
  };
  for (const { name, status, value, threshold } of done.result.checks) {
    const row = text.split('\n').find((line) => line.startsWith(`| ${name} |`));
    expect(row).toContain(`| ${name} | ${statuses[status]} | ${said(value)} |`);
    expect(row).toContain(`| ${said(threshold)} |`);
  }
  const [{ column, values: told }] = done.result.segments;
  expect(text).toContain(`**By ${column}, on the judged rows**`);
  expect(told).toHaveLength(2);
  for (const { name, rows, model: mine, compare_with, gain } of told)
    expect(text).toContain(
      `| ${name ?? 'not known'} | ${said(rows)} | ${said(mine)} | ${said(compare_with)} | ${said(gain?.value ?? null)} |`,
    );
});

test('what monitoring says is told: alarms that are on, drift, and outcomes so far', async () => {
  const signals = ['prediction', 'income'].map((name, at) => ({
    ...{ name, kind: at === 0 ? 'score' : 'input', bins: { kind: 'number', edges: [0.5] } },
  }));
  const watched = [0.1234, 0.4321].map((psi, signal) => ({
    ...{ signal, of: 'values', window: 7, reference: { from: 20_000, until: 20_027, counts: [0, 10, 10] } },
    ...{ current: [0, 12, 8], series: [{ day: 20_040, psi, upper: 0.2, lower: 0.1 }], isRaised: psi > 0.2 },
  }));
  const came = { output: 'prediction', from: '2026-01-01', until: '2026-01-28', rows: 1_234, coverage: 0.875 };
  const performance = [{ ...came, expected: 0.2345, observed: 0.3456, bands: [], metrics: {}, figures: [] }];
  const beyond = [{ name: 'income', kind: 'input', of: 'values', value: 0.4321, threshold: 0.2 }];
  const { owner } = service;
  await sql`delete from monitored_versions where version_id = ${version}`.execute(owner.kysely);
  await sql`insert into monitored_versions (organization_id, workspace_id, model_id, version_id, signals, report,
      counted_until, judged_at)
    select organization_id, id, ${model}, ${version}, ${JSON.stringify(signals)},
      ${JSON.stringify({ watched, performance, sent: null, levels: {} })}, now(), now()
    from workspaces where id = ${tenant.ctx.workspaceId}`.execute(owner.kysely);
  await sql`insert into model_alarms (id, organization_id, workspace_id, model_id, version_id, kind, signals, raised_at)
    select ${newId('alm')}, organization_id, id, ${model}, ${version}, 'drift', ${JSON.stringify(beyond)}, now()
    from workspaces where id = ${tenant.ctx.workspaceId}`.execute(owner.kysely);
  const { body } = await tenant.client.get(path(`monitoring?version=${version}`));
  const text = await documentOf('en');
  expect(body.signals).toHaveLength(2);
  const rows = body.signals.map(
    ({
      name,
      of,
      psi,
      upper,
      is_raised,
    }: {
      name: string;
      of: string;
      psi: number;
      upper: number;
      is_raised: boolean;
    }) => `| ${name} | ${of} | ${said(psi)} | ${said(upper)} | ${is_raised ? 'yes' : 'no'} |`,
  );
  expect(text).toContain(rows.join('\n'));
  const [{ kind, raised_at, signals: told }] = body.alarms;
  const [{ name, of, value, threshold }] = told;
  const since = `${raised_at.slice(0, 16).replace('T', ' ')} UTC`;
  expect(text).toContain(`| ${kind} | ${since} | ${name} | ${of} | ${said(value)} | ${said(threshold)} |`);
  const [{ output, from, until, expected, observed, ...own }] = body.performance;
  expect(text).toContain(
    `| ${output} | ${from} to ${until} | ${said(own.rows)} | 87.5 % | ${said(expected)} | ${said(observed)} |`,
  );
});

test('its history holds validations, approvals, overrides and rollbacks, in both languages', async () => {
  const { client } = tenant;
  const developer = await tenant.as('developer');
  const gates = { checks: { rank_consistency: { threshold: 2 } } };
  expect((await client.send('PUT', path('gates'), { body: gates })).status).toBe(200);
  expect((await developer.post(path(`versions/${version}/approvals`), { alias: 'lived' })).status).toBe(201);
  for (const id of [own, version]) {
    const body = { version_id: id, override: { reason: 'every act is done once' } };
    expect((await client.send('PUT', path('aliases/lived'), { body })).status).toBe(200);
  }
  await within(service.service.app.db, tenant.ctx, (tx) =>
    rollBack(
      tx,
      tenant.ctx,
      { modelId: model, versionId: version, reason: [], signals: [] },
      { days: 1, now: new Date() },
    ),
  );
  const text = await documentOf('en');
  for (const act of [
    ...['validated |  |', 'approved for an alias | lived |', 'given an alias past its gates by a Creator | lived |'],
    'failed, and the alias was moved back | lived |',
  ])
    expect(text).toContain(`| ${act}`);
  const portuguese = await documentOf('pt-BR');
  for (const act of ['validada |', 'aprovada para um alias | lived |', 'falhou, e o alias voltou à anterior | lived |'])
    expect(portuguese).toContain(`| ${act}`);
  expect(portuguese).toContain(`| income | values | ${figureIn('pt-BR', 0.4321)} | ${figureIn('pt-BR', 0.2)} | sim |`);
  expect(portuguese.match(/\b(the|which|was|were|than|what)\b/gi) ?? []).toEqual([]);
});
