/** Made-up tables from other industries than the real data sets. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Cell,
  day,
  infer,
  moment,
  pick,
  referencesOf,
  rows,
  type Sheet,
  tableOf,
} from '../../../tests/support/samples/contract.ts';
import type { Inference } from './infer.ts';

describe('a forum with generic key names', () => {
  let inference: Inference;
  beforeAll(async () => {
    const posts = rows(2000, (i) => [
      i + 1,
      i < 50 || i % 3 === 0 ? 1 : 2,
      i < 50 || i % 3 === 0 ? null : pick(1, i),
      pick(1, 300),
      i % 4 ? null : pick(1, 300),
      moment(i / 2),
      pick(-3, 40),
    ]);
    inference = await infer('forum', {
      users: {
        header: 'Id,DisplayName,CreationDate,LastAccessDate,Views',
        rows: rows(300, (i) => [i + 1, `n ${i}`, moment(pick(0, 600)), moment(pick(1000, 1100)), pick(0, 99)]),
      },
      posts: { header: 'Id,PostTypeId,ParentId,OwnerUserId,LastEditorUserId,CreationDate,Score', rows: posts },
      votes: {
        header: 'Id,PostId,VoteTypeId,UserId,CreationDate',
        rows: rows(3000, (i) => [
          i + 1,
          pick(1, 2000),
          pick(1, 12),
          i % 5 ? null : pick(1, 300),
          `${day(pick(0, 1000))} 00:00:00`,
        ]),
      },
      postLinks: {
        header: 'Id,RelatedPostId,PostId,LinkTypeId,CreationDate',
        rows: rows(300, (i) => [i + 1, pick(1, 2000), pick(1, 2000), i % 2 ? 1 : 3, moment(pick(0, 1000))]),
      },
    });
  });

  test('finds references with a role before the name, two to one table, and the parent of the own kind', () => {
    expect(referencesOf(inference).sort()).toEqual([
      'postLinks.PostId > posts.Id',
      'postLinks.RelatedPostId > posts.Id',
      'posts.LastEditorUserId > users.Id',
      'posts.OwnerUserId > users.Id',
      'posts.ParentId > posts.Id',
      'votes.PostId > posts.Id',
      'votes.UserId > users.Id',
    ]);
  });

  test('takes the creation as the time of a user, and does not call a last visit planned', () => {
    const users = tableOf(inference, 'users');
    expect(users.time).toEqual({ column: 'CreationDate' });
    expect(users.columns.find((column) => column.name === 'LastAccessDate')!.planned).toBe(false);
  });

  test('reads timestamps that all lie at midnight as days', () => {
    expect(tableOf(inference, 'votes').columns.find((column) => column.name === 'CreationDate')!.type).toBe('date');
  });
});

describe('invoices between companies', () => {
  let inference: Inference;
  beforeAll(async () => {
    const invoices = rows(3000, (i) => {
      const issued = pick(0, 900);
      const due = issued + [30, 60, 90][pick(0, 2)];
      const late = i % 5 === 0 ? null : pick(-5, 40);
      return [
        i + 1,
        pick(1, 400),
        pick(1, 400),
        day(issued),
        day(due),
        late === null ? null : day(due + late),
        late,
        pick(1, 9999),
        pick(0, 2),
        pick(0, 1),
        pick(1, 12),
        pick(2018, 2023),
      ];
    });
    inference = await infer('invoices', {
      companies: {
        header: 'company_id,name,founded_on,sector_id',
        rows: rows(400, (i) => [i + 1, `firm ${i}`, day(pick(0, 20000), '1960-01-01'), pick(1, 5)]),
      },
      sectors: { header: 'id,label', rows: rows(5, (i) => [i + 1, `sector ${i}`]) },
      statuses: {
        header: 'status_id,label',
        rows: [
          [0, 'open'],
          [1, 'paid'],
          [2, 'lost'],
        ],
      },
      invoices: {
        header:
          'invoice_no,buyer_id,seller_id,issued_on,due_on,paid_on,days_late,amount,status_id,is_export,month,year',
        rows: invoices,
      },
      invoice_lines: {
        header: 'invoice_no,line_no,product_code,quantity',
        rows: rows(6000, (i) => [
          Math.floor(i / 2) + 1,
          (i % 2) + 1,
          `P${String(pick(0, 300)).padStart(4, '0')}`,
          pick(1, 20),
        ]),
      },
      products: {
        header: 'code,title,weight',
        rows: rows(301, (i) => [`P${String(i).padStart(4, '0')}`, `thing ${i}`, pick(1, 90)]),
      },
    });
  });

  test('finds both sides of a sale, a lookup of three rows, and codes; flags, months and years point nowhere', () => {
    expect(referencesOf(inference).sort()).toEqual([
      'companies.sector_id > sectors.id',
      'invoice_lines.invoice_no > invoices.invoice_no',
      'invoice_lines.product_code > products.code',
      'invoices.buyer_id > companies.company_id',
      'invoices.seller_id > companies.company_id',
      'invoices.status_id > statuses.status_id',
    ]);
  });

  test('dates lines by their invoice, and identifies them by invoice and number', () => {
    const lines = tableOf(inference, 'invoice_lines');
    expect(lines.key).toEqual(['invoice_no', 'line_no']);
    expect(lines.time).toEqual({ reference: 'invoice_no', offset: 0 });
  });

  test('sees the due date as planned and the delay as known from the payment', () => {
    const invoices = tableOf(inference, 'invoices');
    expect(invoices.time).toEqual({ column: 'issued_on' });
    expect(invoices.columns.filter((column) => column.planned).map((column) => column.name)).toEqual(['due_on']);
    expect(invoices.columns.find((column) => column.name === 'days_late')!.knownFrom).toBe('paid_on');
  });

  test('does not take the founding of a company, decades before its business, for an event', () => {
    expect(tableOf(inference, 'companies').time).toBeUndefined();
  });
});

describe('a shop whose tables share a prefix', () => {
  test('points order rows at the orders, not at a table that holds the same key', async () => {
    const code = (letter: string, i: number): string =>
      `${letter}${((i + 1) * 2_654_435_761).toString(16).padStart(14, '0')}`;
    const ordered = rows(800, () => [pick(0, 600)]).map(([days]) => Number(days));
    const inference = await infer('shop', {
      shop_orders_dataset: {
        header: 'order_id,buyer_id,purchased_at,estimated_delivery_at',
        rows: rows(800, (i) => [code('o', i), code('b', i % 500), moment(ordered[i]), moment(ordered[i] + 20)]),
      },
      shop_buyers_dataset: { header: 'buyer_id,city', rows: rows(500, (i) => [code('b', i), 'x']) },
      shop_order_items_dataset: {
        header: 'order_id,order_item_id,shipping_limit_date,price',
        rows: rows(1600, (i) => [code('o', i >> 1), (i & 1) + 1, moment(ordered[i >> 1] + 3), pick(1, 99)]),
      },
      shop_order_reviews_dataset: {
        header: 'order_id,score,written_at',
        rows: rows(800, (i) => [code('o', i), pick(1, 5), moment(ordered[i] + 9)]),
      },
    });
    expect(referencesOf(inference).sort()).toEqual([
      'shop_order_items_dataset.order_id > shop_orders_dataset.order_id',
      'shop_order_reviews_dataset.order_id > shop_orders_dataset.order_id',
      'shop_orders_dataset.buyer_id > shop_buyers_dataset.buyer_id',
    ]);
    expect(tableOf(inference, 'shop_order_items_dataset').time).toEqual({ reference: 'order_id', offset: 0 });
    expect(tableOf(inference, 'shop_order_reviews_dataset').time).toEqual({ column: 'written_at' });
  });
});

describe('clinical studies', () => {
  test('date what comes with a study by the study, through two steps too', async () => {
    const study = (i: number): string => `NCT${String((i * 7_919 + 13) % 99_999_989).padStart(8, '0')}`;
    const side = (count: number): Sheet => ({
      header: 'id,nct_id,term',
      rows: rows(count, (i) => [i, study(pick(0, 499)), `t${pick(0, 50)}`]),
    });
    const inference = await infer('studies', {
      studies: {
        header: 'nct_id,start_date,enrollment',
        rows: rows(500, (i) => [study(i), day(pick(0, 3000), '2005-01-01'), pick(5, 900)]),
      },
      conditions: side(900),
      designs: side(700),
      outcomes: side(1500),
      outcome_analyses: {
        header: 'id,outcome_id,p_value',
        rows: rows(1200, (i) => [i, pick(0, 1499), pick(0, 999) / 1000]),
      },
    });
    expect(tableOf(inference, 'designs').time).toEqual({ reference: 'nct_id', offset: 0 });
    expect(tableOf(inference, 'outcome_analyses').time).toEqual({ reference: 'outcome_id', offset: 0 });
    expect(referencesOf(inference)).toHaveLength(4);
  });
});

describe('tables with one row for each row of another', () => {
  const code = (letters: string, i: number): string =>
    `${letters}${String((i * 7_919 + 13) % 99_999_989).padStart(8, '0')}`;

  test.each([
    ['codes', (i: number) => code('NCT', i)],
    ['whole numbers', (i: number) => i],
  ])('of a trial registry with %s point to the studies, whatever else holds a study once', async (form, nct) => {
    const start = rows(400, () => [pick(0, 3000)]).map(([days]) => Number(days));
    const link = (count: number, other: string, others: number): Sheet => ({
      header: `id,nct_id,${other},date`,
      rows: rows(count, (i) => {
        const study = count === 400 ? (i * 7) % 400 : pick(0, 399);
        return [i, nct(study), pick(0, others - 1), day(start[study])];
      }),
    });
    const inference = await infer(`registry ${form}`, {
      studies: {
        header: 'nct_id,start_date,phase,enrollment,brief_title',
        rows: rows(400, (i) => [nct(i), day(start[i]), pick(1, 4), pick(5, 900), `title ${pick(0, 300)}`]),
      },
      eligibilities: {
        header: 'id,nct_id,gender,minimum_age,criteria,healthy_volunteers,population,date',
        rows: rows(400, (i) => {
          const study = (i * 3) % 400;
          return [i, nct(study), 'All', pick(0, 80), `c ${i}`, pick(0, 1), `p ${pick(0, 9)}`, day(start[study])];
        }),
      },
      brief_summaries: {
        header: 'nct_id,id,description',
        rows: rows(380, (i) => [nct(i), i, `text ${pick(0, 200)}`]),
      },
      sponsors: { header: 'sponsor_id,name', rows: rows(120, (i) => [i, `sponsor ${i}`]) },
      sponsors_studies: link(400, 'sponsor_id', 120),
      conditions: { header: 'condition_id,mesh_term', rows: rows(90, (i) => [i, `term ${i}`]) },
      conditions_studies: link(900, 'condition_id', 90),
      outcomes: link(1500, 'measure', 50),
    });
    const keys = inference.contract.tables.map((table) => [table.name, ...table.key]);
    expect(keys).toEqual([
      ['brief_summaries', 'id'],
      ['conditions', 'condition_id'],
      ['conditions_studies', 'id'],
      ['eligibilities', 'id'],
      ['outcomes', 'id'],
      ['sponsors', 'sponsor_id'],
      ['sponsors_studies', 'id'],
      ['studies', 'nct_id'],
    ]);
    expect(referencesOf(inference).sort()).toEqual([
      'brief_summaries.nct_id > studies.nct_id',
      'conditions_studies.condition_id > conditions.condition_id',
      'conditions_studies.nct_id > studies.nct_id',
      'eligibilities.nct_id > studies.nct_id',
      'outcomes.nct_id > studies.nct_id',
      'sponsors_studies.nct_id > studies.nct_id',
      'sponsors_studies.sponsor_id > sponsors.sponsor_id',
    ]);
    expect(tableOf(inference, 'studies').time).toEqual({ column: 'start_date' });
  });

  test('without a key of their own have the key that points to the other, and nothing points to them', async () => {
    const hull = (i: number): string => code('H', i);
    const inference = await infer('harbour', {
      certificates: { header: 'hull_id,class', rows: rows(300, (i) => [hull(i), pick(1, 5)]) },
      engines: {
        header: 'key,hull_id,maker,power,fuel,cylinders,strokes',
        rows: rows(300, (i) => [i + 1, hull((i * 7) % 300), pick(1, 9), pick(500, 9000), pick(1, 3), 6, 4]),
      },
      port_calls: {
        header: 'call_id,hull_id,arrived_at',
        rows: rows(2000, (i) => [i + 1, hull(pick(0, 299)), moment(pick(0, 900))]),
      },
      vessels: {
        header: 'hull_id,flag,built_on,tonnage',
        rows: rows(300, (i) => [hull(i), pick(1, 40), day(pick(0, 9000), '1990-01-01'), pick(100, 90_000)]),
      },
    });
    expect(inference.contract.tables.map((table) => [table.name, ...table.key])).toEqual([
      ['certificates', 'hull_id'],
      ['engines', 'key'],
      ['port_calls', 'call_id'],
      ['vessels', 'hull_id'],
    ]);
    expect(referencesOf(inference).sort()).toEqual([
      'certificates.hull_id > vessels.hull_id',
      'engines.hull_id > vessels.hull_id',
      'port_calls.hull_id > vessels.hull_id',
    ]);
  });

  test('keep their own key where they hold the plain id of the other under its name', async () => {
    const inference = await infer('library', {
      books: { header: 'id,title,pages', rows: rows(300, (i) => [i + 1, `b ${i}`, pick(50, 900)]) },
      loans: {
        header: 'id,book_id,lent_on',
        rows: rows(900, (i) => [i + 1, pick(1, 300), day(pick(0, 900))]),
      },
      shelf_marks: {
        header: 'id,book_id,aisle,height',
        rows: rows(300, (i) => [i + 1, ((i * 7) % 300) + 1, pick(1, 9), pick(1, 5)]),
      },
    });
    expect(inference.contract.tables.map((table) => [table.name, ...table.key])).toEqual([
      ['books', 'id'],
      ['loans', 'id'],
      ['shelf_marks', 'id'],
    ]);
    expect(referencesOf(inference).sort()).toEqual(['loans.book_id > books.id', 'shelf_marks.book_id > books.id']);
  });
});

describe('events with keys as large numbers', () => {
  test('are found through bare names, and by values alone where they are sparse', async () => {
    const user = (i: number): number => ((i + 1) * 48_271 * 7_919) % 4_000_000_007;
    const inference = await infer('events', {
      users: { header: 'user_id,joined_at', rows: rows(400, (i) => [user(i), moment(pick(0, 60))]) },
      friendships: { header: 'user,friend', rows: rows(3000, () => [user(pick(0, 399)), user(pick(0, 399))]) },
    });
    expect(referencesOf(inference).sort()).toEqual([
      'friendships.friend > users.user_id',
      'friendships.user > users.user_id',
    ]);
  });
});

describe('a hospital whose tables all number their rows', () => {
  test('has the keys that other tables hold, and row numbers point nowhere', async () => {
    const patient = (i: number): number => 1000 + ((i * 7919) % 90_001);
    const stays = rows(900, (i) => [
      i + 1,
      patient(pick(0, 499)),
      100_000 + i * 3,
      moment(pick(0, 3000), '2100-01-01'),
    ]);
    const stayOf = (): Cell[] => stays[pick(0, 899)];
    const inference = await infer('hospital', {
      PATIENTS: {
        header: 'ROW_ID,SUBJECT_ID,DOB',
        rows: rows(500, (i) => [i + 1, patient(i), day(pick(0, 25_000), '2020-01-01')]),
      },
      ADMISSIONS: { header: 'ROW_ID,SUBJECT_ID,HADM_ID,ADMITTIME', rows: stays },
      D_ITEMS: { header: 'ROW_ID,ITEMID,LABEL', rows: rows(90, (i) => [i + 1, 50_000 + i * 11, `l ${i}`]) },
      DIAGNOSES: {
        header: 'ROW_ID,SUBJECT_ID,HADM_ID,SEQ_NUM,ITEMID',
        rows: rows(4000, (i) => {
          const stay = stayOf();
          return [i + 1, stay[1], stay[2], pick(1, 5), 50_000 + pick(0, 89) * 11];
        }),
      },
    });
    const keys = inference.contract.tables.map((table) => [table.name, ...table.key]);
    expect(keys).toEqual([
      ['ADMISSIONS', 'HADM_ID'],
      ['DIAGNOSES', 'ROW_ID'],
      ['D_ITEMS', 'ITEMID'],
      ['PATIENTS', 'SUBJECT_ID'],
    ]);
    expect(referencesOf(inference).sort()).toEqual([
      'ADMISSIONS.SUBJECT_ID > PATIENTS.SUBJECT_ID',
      'DIAGNOSES.HADM_ID > ADMISSIONS.HADM_ID',
      'DIAGNOSES.ITEMID > D_ITEMS.ITEMID',
      'DIAGNOSES.SUBJECT_ID > PATIENTS.SUBJECT_ID',
    ]);
    expect(tableOf(inference, 'PATIENTS').time).toBeUndefined();
    expect(tableOf(inference, 'DIAGNOSES').time).toEqual({ reference: 'HADM_ID', offset: 0 });
  });
});

describe('an airline with codes for keys', () => {
  test('joins by codes under the same name, and by codes under another where the values leave no doubt', async () => {
    const airport = (i: number): string =>
      String.fromCharCode(65 + (i % 26), 65 + ((i * 7) % 26), 65 + Math.floor(i / 26));
    const inference = await infer('airline', {
      airports: { header: 'iata,name,altitude', rows: rows(80, (i) => [airport(i), `port ${i}`, pick(0, 5000)]) },
      planes: {
        header: 'tailnum,year,seats',
        rows: rows(200, (i) => [`N${1000 + i * 3}Q`, pick(1970, 2013), pick(20, 300)]),
      },
      flights: {
        header: 'year,month,flight,tailnum,dest,distance,time_hour,last_update',
        rows: rows(3000, () => [
          2013,
          pick(1, 12),
          pick(1, 6000),
          `N${1000 + pick(0, 199) * 3}Q`,
          airport(pick(0, 79)),
          pick(50, 4000),
          moment(pick(0, 364)),
          '2014-01-01',
        ]),
      },
    });
    expect(referencesOf(inference).sort()).toEqual([
      'flights.dest > airports.iata',
      'flights.tailnum > planes.tailnum',
    ]);
    expect(tableOf(inference, 'flights').time).toEqual({ column: 'time_hour' });
    expect(tableOf(inference, 'flights').key).toEqual([]);
  });
});
