/** Tasks asked as queries over HTTP: defined, shown, refused, trained and answered. */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { fillQueries } from '../src/resources/tasks/fill-queries.ts';
import { lendingData, lendingFiles } from './lending.ts';
import { takeInLending, trainAndAsk } from './lending-service.ts';
import { expectRefusal } from './problems.ts';
import { type Client, startTestService, type TestService } from './service.ts';

let service: TestService;
let client: Client;
let month: { model: string; inputs: unknown };

beforeAll(async () => {
  service = await startTestService();
  ({ client } = await service.tenant('Lending'));
  await takeInLending(client);
});
afterAll(() => service.close());

const usPerDay = 86_400_000_000;
const dayOf = (date: string) => Date.parse(date) / 86_400_000;

const limits = { timeout: 500_000 };

test('a delinquency of a loan that is being asked for', limits, async () => {
  const loan = { customer_id: 'c3', opened: '2022-06-30', size: 604 };
  const { body, version } = await trainAndAsk(client, 'month', loan, 'FOR loan WHERE size >= 600');
  expect(body.prediction).toBeGreaterThan(0);
  expect(version.inputs.map((field: { name: string }) => field.name)).toContain('opened');
  month = { model: body.model_id, inputs: version.inputs };
});

describe('what the model needs of a new row', () => {
  type Input = { name: string; required: boolean; nullable?: boolean; importance?: number };
  const inputs = () => month.inputs as Input[];
  const ask = (body: object, query = '') =>
    client.post(`/v1/api/prediction/${month.model}/production?include=unknown,interval${query}`, body);
  const loan = { opened: '2022-06-30', size: 604 };
  const sizeShare = () => inputs().find(({ name }) => name === 'size')!.importance!;

  test('is required where it is a reference, and null says that it is not known', async () => {
    const required = inputs().filter((input) => input.required);
    expect(required).toMatchObject([
      { name: 'customer_id', nullable: true },
      { name: 'opened', dates_row: 'past', description: expect.stringContaining('Dates the row') },
    ]);
    for (const body of [{}, loan]) {
      const reply = await ask(body);
      expectRefusal(reply, 422, 'missing_input', '/customer_id', ...('opened' in body ? [] : ['/opened']));
      expect(reply.body.detail).toContain('send null for what is not known of customer_id');
    }
    expect((await ask({ customer_id: null, opened: '2022-06-30' })).status).toBe(200);
  });

  test('is its own date, which has come, or a day to ask as of', async () => {
    const undated = await ask({ customer_id: 'c3', size: 604 });
    expectRefusal(undated, 422, 'missing_input', '/opened');
    expect(undated.body.detail).toContain('opened dates the row, or reference_date does');
    const ahead = await ask({ ...loan, customer_id: 'c3', opened: '2031-01-01' });
    expectRefusal(ahead, 422, 'reference_date_in_future', '/opened');
    const asOfDay = await ask({ customer_id: 'c3', size: 604, reference_date: '2022-06-30' });
    expect(asOfDay.status, asOfDay.text).toBe(200);
    expect(asOfDay.body.as_of.slice(0, 10)).toMatch(/2022-0(6-30|7-01)/);
  });

  test('is answered with the age that the data had at its date', async () => {
    const days = Object.values(lendingData()).flatMap((rows) =>
      rows.map(({ placed, joined, opened }) => ((placed ?? joined ?? opened ?? 0) as number) / usPerDay),
    );
    const ageOf = async (body: object) => (await ask({ customer_id: 'c3', size: 604, ...body })).body.data_age;
    // A day is known at its end, and the row stands at the start of its own.
    const newestBefore = (date: string) => Math.max(...days.filter((one) => one < dayOf(date)));
    for (const opened of ['2021-03-02', '2022-03-01', '2022-12-31'])
      expect(await ageOf({ opened }), opened).toBe(dayOf(opened) - newestBefore(opened));
    const until = { opened: '2022-03-01', reference_date: '2021-12-31' };
    expect(await ageOf(until)).toBe(dayOf('2022-03-01') - newestBefore('2022-01-01'));
  });

  test('is kept with the moment that its answer is as of', async () => {
    const answered = (await ask({ ...loan, customer_id: 'c3' })).body;
    const kept = (await client.get(`/v1/api/predictions/${answered.prediction_id}`)).body;
    expect(kept.as_of).toBe(answered.as_of);
    expect(kept.as_of).toBe(kept.outputs.as_of);
    expect(kept.as_of < '2022-07-02').toBe(true);
  });

  test('is told by name where it is not known, and how much the model draws from it', async () => {
    const known = (await ask({ ...loan, customer_id: 'c3' })).body;
    const stranger = (await ask({ ...loan, customer_id: 'nobody' })).body;
    const nothing = (await ask({ customer_id: null, opened: '2022-06-30' })).body;
    expect(known).toMatchObject({ data_coverage: 'full', unknown: [] });
    const size = { kind: 'input', name: 'size' };
    expect(stranger).toMatchObject({ data_coverage: 'partial', unknown: [{ kind: 'entity', name: 'customer_id' }] });
    expect(nothing).toMatchObject({
      data_coverage: 'none',
      unknown: expect.arrayContaining([expect.objectContaining(size)]),
    });
    expect(nothing.unknown).toContainEqual(expect.objectContaining({ kind: 'input', name: 'customer_id' }));
    expect(stranger.data_coverage_share).toBeLessThan(known.data_coverage_share);
    expect(stranger.data_coverage_share).toBeGreaterThan(0);
    // What compares the size with that of the customer's earlier loans has no value.
    expect(stranger.data_coverage_share).toBeLessThan(sizeShare() + 0.0005);
    expect(nothing.data_coverage_share).toBe(0);
    expect(known.interval.prediction.lower).toBeLessThan(known.prediction);
    expect(known.interval.prediction.upper).toBeGreaterThan(known.prediction);
  });

  test('stops a file without the reference, and says what counts of an input that a file lacks', async () => {
    const score = async (text: string) => {
      const file = await client.upload('loans.csv', text);
      const { body } = await client.post('/v2/api/batches', { files: [file], model: `${month.model}/production` });
      return (await client.finished(`/v2/api/batches/${body.id}`)).body;
    };
    const lacking = await score('opened,size\n2022-06-30,604\n');
    expect(lacking.files[0].failure).toEqual({
      code: 'missing_column',
      detail: expect.stringContaining('loans.csv lacks customer_id, which the model needs'),
    });
    const poor = await score('opened,customer_id\n2022-06-30,c3\n2022-06-30,\n');
    expect(poor).toMatchObject({
      progress: { rows: { succeeded: 2, failed: 0 } },
      warnings: [
        {
          code: 'missing_inputs',
          message: expect.stringMatching(/^loans\.csv: column size is not in the file: the model draws \d/),
          values: { name: 'size', importance: expect.any(Number) },
        },
        { code: 'unnamed_entities', values: { about: 'customer_id', rows: 1, answered: 2 }, first_rows: [2] },
      ],
    });
    const undated = await score('customer_id\nc3\n');
    expect(undated.files[0].failure.detail).toContain('loans.csv lacks opened, which the model needs');
    const some = await score('customer_id,opened\nc3,\nc3,2022-06-30\nc3,2031-01-01\n');
    expect(some.progress.rows).toMatchObject({ succeeded: 1, failed: 2 });
    const { body: errors } = await client.get(`/v2/api/batches/${some.id}/errors`);
    expect(errors.data).toMatchObject([
      { row: 1, column: 'opened', code: 'missing_input' },
      { row: 3, column: 'opened', code: 'reference_date_in_future' },
    ]);
  });

  test('has the other names that a contract gave it after the training', async () => {
    const renamed = lendingFiles(lendingData())['contract.yaml'].replace(
      /( +)- name: opened\n/,
      '$&$1  customProperties:\n$1    - property: aliases\n$1      value: [granted]\n',
    );
    const { body: accepted } = await client.post('/v1/api/contracts', { document: renamed, accept: true });
    const { body: read } = await client.finished(`/v1/api/ingestions/${accepted.started_ingestion_id}`);
    const own = await ask({ ...loan, customer_id: 'c3' });
    const asked = { customer_id: 'c3', granted: loan.opened, size: loan.size };
    const other = await ask(asked, `&snapshot_id=${read.snapshot_id}`);
    expect(other.body, other.text).toMatchObject({ prediction: own.body.prediction });
    expectRefusal(await ask({ ...asked, opened: loan.opened }), 422, 'invalid_input', '/opened', '/granted');

    const score = async (text: string) => {
      const file = await client.upload('loans.csv', text);
      const { body } = await client.post('/v2/api/batches', { files: [file], model: `${month.model}/production` });
      return (await client.finished(`/v2/api/batches/${body.id}`)).body;
    };
    expect(await score('granted,customer_id,size\n2022-06-30,c3,604\n')).toMatchObject({
      progress: { rows: { succeeded: 1, failed: 0 } },
      warnings: [],
    });
    const twice = await score('granted,opened,customer_id\n2022-06-30,2022-06-30,c3\n');
    expect(twice.files[0].failure).toEqual({
      code: 'file_unreadable',
      detail: 'loans.csv: the file has opened and granted, names of one column: leave one of them',
    });
  });
});

test('query and question of a task that was defined before these were kept are written down', async () => {
  const definition = 'predict exists(loan) for customer within 30 days';
  const { body } = await client.post('/v1/api/tasks', { name: 'older', definition });
  const { app } = service.service;
  await system(app.db, 'test', (tx) =>
    sql`update tasks set query = null, question = null, query_known = false where id = ${body.id}`.execute(tx),
  );
  await fillQueries(app);
  expect(body.query).toBe('PREDICT exists(loan) WITHIN 30d FOR customer');
  expect(body.question).toMatchObject({
    en: {
      sentence: 'For each customer: the chance of at least one loan in the next 30 days.',
      outputs: [{ name: 'prediction', meaning: 'the chance of at least one loan in the next 30 days' }],
    },
    'pt-BR': { sentence: 'Para cada cliente: a chance de haver ao menos um empréstimo nos próximos 30 dias.' },
  });
  const { body: told } = await client.get(`/v1/api/tasks/${body.id}`);
  expect(told).toMatchObject({ query: body.query, question: body.question });
});

test('what a definition asks is told before a task is made of it', async () => {
  const read = (definition: string) => client.post('/v1/api/tasks/question', { definition });
  const { status, body, text } = await read('predict exists(loan) for customer within 30 days');
  expect(status, text).toBe(200);
  expect(body).toMatchObject({
    kind: 'binary',
    query: 'PREDICT exists(loan) WITHIN 30d FOR customer',
    question: { en: { sentence: 'For each customer: the chance of at least one loan in the next 30 days.' } },
  });
  const wrong = await read('PREDICT exists(lone) WITHIN 30d FOR customer');
  expectRefusal(wrong, 422, 'invalid_task');
  expect(wrong.body.errors[0].pointer).toBe('/definition');
});

describe('a query that cannot be asked', () => {
  const define = (definition: string) => client.post('/v1/api/tasks', { name: 'wrong', definition });

  test('is refused with its place', async () => {
    const reply = await define('PREDICT exists(order) WITHIN 30 FORR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.errors).toEqual([
      {
        pointer: '/definition',
        code: 'invalid_task',
        detail:
          'line 1, column 33: expected WITHIN, FOR, VIA, EVERY, ONCE, FROM, UNTIL, AS or the end, found FORR; did you mean FOR?',
        because: {
          ...{ code: 'no_clause', found: 'FORR', meant: 'FOR', hint: null },
          clauses: ['WITHIN', 'FOR', 'VIA', 'EVERY', 'ONCE', 'FROM', 'UNTIL', 'AS'],
        },
      },
    ]);
  });

  test('is refused where it does not fit the contract', async () => {
    const reply = await define('PREDICT exists(orders) WITHIN 30d FOR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.detail).toContain(
      'target table orders is not in the contract, which has customer, order, loan, instalment',
    );
    expect(reply.body.errors).toMatchObject([{ pointer: '/definition' }]);
  });

  test('in a field of a definition is the only thing wrong with it', async () => {
    const reply = await define('query: PREDICT exist(order) WITHIN 30d FOR customer');
    expectRefusal(reply, 422, 'invalid_task');
    expect(reply.body.errors).toMatchObject([
      { pointer: '/definition', detail: expect.stringMatching(/^line 1, query: column 9: expected exists/) },
    ]);
  });
});

test('tasks are listed with their query, and with none where labels come in files', async () => {
  const train = await client.upload('train.csv', 'date,customer_id,label\n2022-01-01,c1,1\n');
  const definition = 'entity: customer\nkey: customer_id\nlabel: label\nkind: binary\n';
  const filed = await client.post('/v1/api/tasks', { name: 'filed', definition, labels: { train } });
  expect(filed.body, filed.text).toMatchObject({ query: null });
  const yaml = await client.post('/v1/api/tasks', {
    name: 'yaml',
    definition: 'query: predict count(order)>3 within 4w for customer\nmetric: log_loss\n',
  });
  expect(yaml.body, yaml.text).toMatchObject({ query: 'PREDICT count(order) > 3 WITHIN 28d FOR customer' });
  const { body } = await client.get('/v1/api/tasks');
  const queries = Object.fromEntries(body.data.map((one: { name: string; query: string }) => [one.name, one.query]));
  expect(queries).toMatchObject({ filed: null, yaml: 'PREDICT count(order) > 3 WITHIN 28d FOR customer' });
});

test('reasons explain the score that is told, whichever horizon it comes from', limits, async () => {
  const { body: first } = await trainAndAsk(client, 'credit', { customer_id: 'c0' });
  const path = `/v1/api/prediction/${first.model_id}/production?include=explanation`;
  let ruledByShorter = 0;
  const usual = new Set<number>();
  for (const reference_date of ['2021-06-30', '2021-12-31', '2022-06-30'])
    for (let c = 0; c < 60; c++) {
      const { body, text } = await client.post(path, { customer_id: `c${c}`, reference_date });
      const { explained, explanation } = body;
      expect(Math.round(explained.answer), text).toBe(body.score);
      const effects = explanation.reduce((sum: number, { effect }: { effect: number }) => sum + effect, 0);
      expect(explained.usual + effects + explained.others, text).toBeCloseTo(explained.answer, 9);
      if (body.pd_30d === body.pd_90d) ruledByShorter++;
      usual.add(explained.usual);
    }
  expect(ruledByShorter).toBeGreaterThan(0);
  expect(usual.size, 'what is usual is the same for all').toBe(1);
});

test('an answer says so where the data are older than they ever were silent', limits, async () => {
  const path = `/v1/api/prediction/${month.model}/production`;
  const row = { customer_id: 'c3', size: 604 };
  const old = await client.post(path, {
    ...row,
    opened: new Date(Date.now() - usPerDay / 1000).toISOString().slice(0, 10),
  });
  expect(old.body.warnings, old.text).toEqual([
    {
      code: 'stale_data',
      input: null,
      message: expect.stringMatching(/^the newest data are of 202\d-\d\d-\d\d, \d+ days before/),
    },
  ]);
  expect(old.body.warnings[0].message).toContain(`, ${old.body.data_age} days before`);
  // The report of the data says the same before anybody asks.
  const { data } = (await client.get('/v1/api/ingestions')).body;
  const { newest, silence_max: silence } = data[0].report.event_days;
  expect(old.body.warnings[0].message).toContain(`the newest data are of ${newest},`);
  expect(old.body.warnings[0].message).toContain(`they were silent for ${silence} day`);
  expect((await client.post(path, { ...row, opened: '2021-12-31' })).body).not.toHaveProperty('warnings');
});

test('an answer says so where the question is not about the case', limits, async () => {
  const { data } = (await client.get('/v1/api/models')).body as { data: { id: string; name: string }[] };
  const path = `/v1/api/prediction/${data.find(({ name }) => name === 'credit')!.id}/production`;
  const first = (customer: string) =>
    Math.min(
      ...lendingData()
        .loan.filter((one) => one.customer_id === customer)
        .map(({ opened }) => opened as number),
    );
  const customer = lendingData().customer.find(({ customer_id: id, joined }) => {
    const days = (first(id as string) - (joined as number)) / usPerDay;
    return Number.isFinite(days) && days > 3;
  })!.customer_id as string;
  const asked = async (us: number) => {
    const reference_date = new Date(us / 1000).toISOString().slice(0, 10);
    const { body, text } = await client.post(path, { customer_id: customer, reference_date });
    expect(body.prediction_id, text).toBeDefined();
    return body.warnings?.filter(({ code }: { code: string }) => code === 'outside_population') ?? [];
  };
  expect(await asked(first(customer) - usPerDay)).toEqual([
    {
      code: 'outside_population',
      input: null,
      condition: 'exists(loan VIA customer_id)',
      said: { en: 'at least one loan so far', 'pt-BR': 'ao menos um empréstimo até então' },
      message: expect.stringContaining('cases with at least one loan so far, and this one does not'),
    },
  ]);
  expect(await asked(first(customer) + usPerDay)).toEqual([]);
});

test('a new row is told what it does not meet where it has the columns of the condition', limits, async () => {
  const path = `/v1/api/prediction/${month.model}/production`;
  const unmet = async (loan: object) => {
    const { status, body, text } = await client.post(path, { customer_id: 'c3', opened: '2021-12-31', ...loan });
    expect(status, text).toBe(200);
    return body.warnings?.map(({ condition }: { condition?: string }) => condition);
  };
  expect(await unmet({ size: 604 })).toBe(undefined);
  expect(await unmet({ size: 599 })).toEqual(['size >= 600']);
  expect(await unmet({ size: null })).toEqual(['size >= 600']);
  expect(await unmet({})).toBe(undefined);
  const file = await client.upload('loans.csv', 'opened,customer_id,size\n2021-12-31,c3,604\n2021-12-31,who,599\n');
  const { body } = await client.post('/v2/api/batches', { files: [file], model: `${month.model}/production` });
  const { warnings } = (await client.finished(`/v2/api/batches/${body.id}`)).body;
  expect(warnings).toMatchObject([
    {
      code: 'unknown_entities',
      message: expect.stringMatching(/^loans\.csv: 1 of 2 answered rows have a customer_id/),
    },
    {
      code: 'outside_population',
      message: expect.stringMatching(
        /^loans\.csv: 1 of 2 answered rows are outside the question, which is about cases with size of at least 600/,
      ),
      values: { about: 'size >= 600', about_en: 'size of at least 600', 'about_pt-BR': 'size a partir de 600' },
    },
  ]);
});
