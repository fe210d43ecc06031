/** Invoices of months that end by a clock that is moved, against sums by hand. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeMonths, graceMs } from '../../src/resources/invoices/close-months.ts';
import { setPricePlan } from '../../src/resources/organizations/set-price-plan.ts';
import { createPlan } from '../../src/resources/price-plans/create.ts';
import { weighByPlans } from '../../src/resources/price-plans/weigh.ts';
import { runBeside } from '../beside.ts';
import { type Client, startTestService, type Tenant, type TestService } from '../service.ts';
import { answerPredictions, listAll, meterAll } from './metered.ts';

const path = '/v1/api/organization/invoices';
const plan = {
  monthly_fee: '100.00',
  prices: {
    predictions: {
      per: 10,
      tiers: [
        { up_to: 20, price: '0' },
        { up_to: null, price: '1.234567' },
      ],
    },
  },
};
const timeZone = 'America/Sao_Paulo';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await createPlan(service.service.app.db, 'tested', JSON.stringify(plan));
});
afterAll(() => service.close());

let customers = 0;
/** An organization on the plan, and its Billing Manager. */
async function newCustomer(name = `Customer ${++customers}`): Promise<Tenant & { billing: Client }> {
  const tenant = await service.tenant(name, { timeZone });
  await setPricePlan(service.service.app.db, tenant.ctx.organizationId, 'tested');
  return { ...tenant, billing: await tenant.signedIn('billing_manager', 'organization') };
}

/** The month that it is in São Paulo, which is three hours behind UTC, and when the one after `offset` more begins. */
const wall = () => new Date(Date.now() - 3 * 60 * 60 * 1000);
const monthOf = (offset: number) =>
  new Date(Date.UTC(wall().getUTCFullYear(), wall().getUTCMonth() + offset, 1)).toISOString().slice(0, 7);
const endOf = (offset: number) => Date.UTC(wall().getUTCFullYear(), wall().getUTCMonth() + offset + 1, 1, 3);

test('a draft follows what is used; the invoice of a month that has ended is issued, once, and stays', async () => {
  const { db } = service.service.app;
  const { ctx, billing } = await newCustomer('Ação & <Filhos>');
  await answerPredictions(service, ctx, 27);
  await meterAll(service);
  await closeMonths(db);
  const [draft, ...others] = await listAll(billing, path);
  expect(others).toEqual([]);
  // A fee of 100.00, and 7 predictions of the second tier: 7 × 1.234567 / 10 = 0.8641969.
  expect(draft).toMatchObject({
    ...{ month: monthOf(0), status: 'draft', number: null, total_cents: 10_086, currency: 'BRL', issued_at: null },
    price_plan: { name: 'tested', version: 1 },
  });
  await answerPredictions(service, ctx, 3);
  await meterAll(service);
  expect((await billing.get(`${path}/${draft.id}`)).body.total_cents).toBe(10_123);

  const justBefore = new Date(endOf(0) + graceMs - 1);
  await closeMonths(db, justBefore);
  expect((await billing.get(`${path}/${draft.id}`)).body.status).toBe('draft');
  const closing = new Date(endOf(0) + graceMs);
  await Promise.all([closeMonths(db, closing), closeMonths(db, closing), closeMonths(db, closing)]);
  const issued = (await billing.get(`${path}/${draft.id}`)).body;
  expect(issued).toMatchObject({
    ...{ id: draft.id, status: 'issued', number: `${monthOf(0).slice(0, 4)}-0001`, billed_to: 'Ação & <Filhos>' },
    ...{ total_cents: 10_123, issued_at: closing.toISOString() },
    lines: [
      { meter: null, quantity: 1, price: '100.00', amount_cents: 10_000 },
      { meter: 'predictions', from_unit: 1, up_to: 20, quantity: 20, price: '0', per: 10, amount_cents: 0 },
      { meter: 'predictions', from_unit: 21, up_to: null, quantity: 10, price: '1.234567', per: 10, amount_cents: 123 },
    ],
  });
  // What is used, priced or called afterwards changes nothing of it, and counts in the month after.
  await answerPredictions(service, ctx, 5);
  await meterAll(service);
  await createPlan(db, 'tested', JSON.stringify({ ...plan, monthly_fee: '7.00' }));
  await service.owner.pool.query("update organizations set name = 'Other' where id = $1", [ctx.organizationId]);
  expect((await billing.get(`${path}/${draft.id}`)).body).toEqual(issued);
  await closeMonths(db, closing);
  const months = await listAll(billing, path);
  expect(months.map(({ month, status }) => [month, status])).toEqual([
    [monthOf(1), 'draft'],
    [monthOf(0), 'issued'],
  ]);
  expect(months[0].total_cents).toBe(700);
  const days = await listAll(billing, `/v1/api/organization/usage?group_by=month&to=${monthOf(1)}-28`);
  expect(days).toContainEqual(expect.objectContaining({ meter: 'predictions', month: monthOf(1), quantity: 5 }));
  await createPlan(db, 'tested', JSON.stringify(plan));
  const { rows } = await service.owner.pool.query(
    "select data, actor_type from audit_entries where action = 'invoice-issuance' and target_id = $1",
    [draft.id],
  );
  expect(rows).toEqual([{ actor_type: 'system', data: expect.objectContaining({ number: issued.number }) }]);
});

test('numbers have no gaps within the organization and the year, however many issue at once', async () => {
  const { db } = service.service.app;
  const { billing } = await newCustomer();
  const months = 14;
  for (let month = 0; month < months; month++) {
    // The draft of a month begins in it.
    await closeMonths(db, new Date(endOf(month) - 4 * 60 * 60 * 1000));
    const now = new Date(endOf(month) + graceMs);
    await Promise.all([closeMonths(db, now), closeMonths(db, now)]);
  }
  const numbers = (await listAll(billing, path))
    .filter(({ status }) => status === 'issued')
    .map(({ number, month }) => ({ number, month }))
    .reverse();
  expect(numbers.map(({ month }) => month)).toEqual(Array.from({ length: months }, (_, at) => monthOf(at)));
  const seen: Record<string, number> = {};
  for (const { number, month } of numbers) {
    const year = month.slice(0, 4);
    seen[year] = (seen[year] ?? 0) + 1;
    expect(number).toBe(`${year}-${String(seen[year]).padStart(4, '0')}`);
  }
});

test('what was issued is changed by nobody, the owner of the tables included', async () => {
  const { db } = service.service.app;
  const { ctx } = await newCustomer();
  await closeMonths(db);
  await closeMonths(db, new Date(endOf(0) + graceMs));
  const { rows } = await service.owner.pool.query(
    "select id from invoices where organization_id = $1 and status = 'issued'",
    [ctx.organizationId],
  );
  const [{ id }] = rows;
  for (const statement of [
    `update invoices set total_cents = 0 where id = '${id}'`,
    `update invoices set status = 'draft', number = null where id = '${id}'`,
    `delete from invoices where id = '${id}'`,
    `update invoice_lines set amount_cents = 0 where invoice_id = '${id}'`,
    `delete from invoice_lines where invoice_id = '${id}'`,
    `insert into invoice_lines select organization_id, invoice_id, 99, meter, from_unit, up_to, quantity, price, per, 1
       from invoice_lines where invoice_id = '${id}' limit 1`,
    'truncate invoice_lines',
    `update price_plans set document = '{}'`,
  ])
    for (const role of ['postgres', 'lastro_system', 'lastro_app'])
      await expect(
        service.owner.pool
          .query(`${role === 'postgres' ? '' : `set role ${role}; `}${statement}`)
          .finally(() => service.owner.pool.query('reset role')),
        `${role}: ${statement}`,
      ).rejects.toMatchObject({ code: '42501' });
});

test('a month ends when it has ended on the clocks of every workspace', async () => {
  const { db } = service.service.app;
  const { ctx, billing } = await newCustomer();
  const creator = await service.owner.pool.query(
    `insert into workspaces (id, organization_id, name, time_zone)
     values ('ws_west' || md5(random()::text), $1, 'West', 'Pacific/Pago_Pago') returning id`,
    [ctx.organizationId],
  );
  expect(creator.rows).toHaveLength(1);
  await closeMonths(db);
  const statusAt = async (at: number) => {
    await closeMonths(db, new Date(at + graceMs));
    const months: { month: string; status: string }[] = (await billing.get(path)).body.data;
    return months.find(({ month }) => month === monthOf(0))!.status;
  };
  // Pago Pago is eleven hours behind UTC, São Paulo three.
  const behindMs = 8 * 60 * 60 * 1000;
  expect(await statusAt(endOf(0))).toBe('draft');
  expect(await statusAt(endOf(0) + behindMs - 1)).toBe('draft');
  expect(await statusAt(endOf(0) + behindMs)).toBe('issued');
});

test('a month has no draft before it has begun on the clocks of every workspace', async () => {
  const { db } = service.service.app;
  const { billing } = await newCustomer();
  const monthsAt = async (at: number) => {
    await closeMonths(db, new Date(at));
    return (await billing.get(path)).body.data.map(({ month }: { month: string }) => month);
  };
  // It is the month after in UTC already.
  expect(await monthsAt(endOf(0) - 1)).toEqual([monthOf(0)]);
  expect(await monthsAt(endOf(0))).toEqual([monthOf(1), monthOf(0)]);
});

test('the page to print has the figures in the words and signs of its language, and no way to run anything', async () => {
  const { db } = service.service.app;
  const name = `Ação <script>alert("1")</script> & "Cia"`;
  const { ctx, billing } = await newCustomer(name);
  await answerPredictions(service, ctx, 1_234);
  await meterAll(service);
  await closeMonths(db);
  await closeMonths(db, new Date(endOf(0) + graceMs));
  const { id, number } = (await billing.get(path)).body.data.at(-1);
  // 100.00 + 1,214 × 1.234567 / 10 = 249.876433…
  for (const [query, texts] of [
    ['', [`Fatura ${number}`, 'R$\u00a0249,88', 'R$\u00a01,234567 / 10', '1.214', 'a partir de 21', 'Mensalidade']],
    ['?language=en', [`Invoice ${number}`, 'R$249.88', 'R$1.234567 / 10', '1,214', 'from 21 on', 'Monthly fee']],
  ] as const) {
    const page = await billing.get(`${path}/${id}/html${query}`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const text of texts) expect(page.text).toContain(text);
    expect(page.text).toContain('Ação &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &quot;Cia&quot;');
    expect(page.text).not.toMatch(/<script|javascript:|\son\w+=|<link|<img|https?:/);
    const style = createHash('sha256')
      .update(/<style>(.*?)<\/style>/s.exec(page.text)![1])
      .digest('base64');
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  }
  expect((await billing.get(`${path}/${id}/html?language=fr`)).body.code).toBe('invalid_parameter');
});

test('invoices of another organization are not there, and a plan is shown to who pays', async () => {
  const [one, other] = [await newCustomer(), await newCustomer()];
  await closeMonths(service.service.app.db);
  const { id } = (await one.billing.get(path)).body.data[0];
  for (const address of [`${path}/${id}`, `${path}/${id}/html`])
    expect((await other.billing.get(address)).body.code).toBe('not_found');
  expect((await one.billing.get('/v1/api/organization/price-plan')).body).toMatchObject({
    ...{ name: 'tested', currency: 'BRL', document: plan },
  });
});

test('who is on no plan is on the default one, by which nothing costs anything', async () => {
  const tenant = await service.tenant('Unplanned', { timeZone });
  const billing = await tenant.signedIn('creator', 'organization');
  await closeMonths(service.service.app.db);
  expect((await billing.get(path)).body.data).toEqual([]);
  await answerPredictions(service, tenant.ctx, 2);
  await meterAll(service);
  await closeMonths(service.service.app.db);
  const [draft] = (await billing.get(path)).body.data;
  expect(draft).toMatchObject({ price_plan: { name: 'default', version: 1 }, total_cents: 0 });
});

test('the operator defines plans, version by version, and puts organizations on them', async () => {
  const lastro = (...args: string[]) => runBeside(service, ['admin', 'price-plan', ...args]);
  const { ctx } = await service.tenant('Operated');
  const of = ['--organization', ctx.organizationId, '--plan', 'standard-2030'];
  expect(await lastro('set', ...of)).toMatchObject({
    ...{ code: 2, err: expect.stringContaining('there is no price plan standard-2030') },
  });
  const file = join(service.folder, 'plan.json');
  const create = () => lastro('create', '--plan', 'standard-2030', '--file', file);
  expect((await create()).err).toContain('plan.json cannot be read');
  writeFileSync(file, '{"monthly_fee": 5, "prices": {}}');
  expect((await create()).err).toContain('the price plan cannot be used');
  for (const [at, monthly_fee] of ['5.00', '6.00'].entries()) {
    writeFileSync(file, JSON.stringify({ ...plan, monthly_fee }));
    expect((await create()).body).toEqual({
      name: 'standard-2030',
      version: at + 1,
      document: { ...plan, monthly_fee },
    });
  }
  expect((await lastro('set', ...of)).code).toBe(0);
  const show = async (...args: string[]) => (await lastro('show', '--plan', 'standard-2030', ...args)).body.document;
  expect([await show(), await show('--version', '1')].map(({ monthly_fee }) => monthly_fee)).toEqual(['6.00', '5.00']);
  const listed = (await lastro('list')).body.map(
    (one: { name: string; version: number }) => `${one.name} ${one.version}`,
  );
  expect(listed).toEqual(expect.arrayContaining(['default 1', 'standard-2030 2', 'standard-2030 1']));
  expect((await lastro('show', '--plan', 'standard-2030', '--version', '0')).err).toContain('--version must be');
});

test('a plan says how much of the queues each workspace gets, unless the operator has weighed it', async () => {
  const lastro = (...args: string[]) => runBeside(service, ['admin', ...args]);
  const { ctx } = await service.tenant('Weighed');
  const weights = async () =>
    (
      await service.owner.pool.query('select weight, usual from pgboss.group_weight where group_id = $1', [
        ctx.workspaceId,
      ])
    ).rows;
  const file = join(service.folder, 'weighing.json');
  const define = async (weight: number | undefined) => {
    writeFileSync(file, JSON.stringify({ ...plan, weight }));
    return lastro('price-plan', 'create', '--plan', 'weighing', '--file', file);
  };
  expect((await define(0)).err).toContain('weight');
  await define(3);
  expect(await weights()).toEqual([]);
  await lastro('price-plan', 'set', '--organization', ctx.organizationId, '--plan', 'weighing');
  expect(await weights()).toEqual([{ weight: null, usual: 3 }]);
  await lastro('weigh', '--workspace', ctx.workspaceId, '--weight', '0.5');
  await define(2);
  expect(await weights()).toEqual([{ weight: 0.5, usual: 2 }]);
  // A workspace that comes later gets it within a minute.
  const { rows } = await service.owner.pool.query(
    `insert into workspaces (id, organization_id, name) values ('ws_later', $1, 'Later') returning id`,
    [ctx.organizationId],
  );
  await weighByPlans(service.service.app.db, service.service.app.queue);
  const later = await service.owner.pool.query('select usual from pgboss.group_weight where group_id = $1', [
    rows[0].id,
  ]);
  expect(later.rows).toEqual([{ usual: 2 }]);
  await define(undefined);
  expect(await weights()).toEqual([{ weight: 0.5, usual: null }]);
});
