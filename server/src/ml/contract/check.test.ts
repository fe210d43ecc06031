import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractCommand } from '../../commands/contract.ts';
import { checkFile } from './check.ts';
import type { ColumnContract, Contract, TableContract } from './contract.ts';
import { diffContracts } from './diff.ts';
import { parseContract } from './parse.ts';
import { writeContract } from './write.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contract-check-'));
});
afterAll(async () => rm(folder, { recursive: true }));

function column(name: string, type: ColumnContract['type'], rest: Partial<ColumnContract> = {}): ColumnContract {
  return { name, type, required: false, unique: false, planned: false, mutable: false, pii: false, ...rest };
}

const people: TableContract = {
  name: 'people',
  key: ['id'],
  references: [{ column: 'parent', table: 'people', key: 'id' }],
  columns: [column('id', 'integer', { required: true, unique: true }), column('parent', 'integer')],
};
const sales: TableContract = {
  name: 'sales',
  key: ['number', 'line'],
  references: [{ column: 'person', table: 'people', key: 'id' }],
  time: { column: 'day' },
  columns: [
    column('number', 'string', { required: true }),
    column('line', 'integer', { required: true }),
    column('person', 'integer'),
    column('day', 'date', { required: true }),
    column('due', 'date', { planned: true }),
    column('state', 'string', { enum: ['new', 'paid'] }),
    column('amount', 'number', { minimum: 0, maximum: 1000 }),
    column('post', 'string', { pattern: '^\\d{5}$' }),
    column('mail', 'string', { format: 'email' }),
  ],
};
const contract: Contract = { id: 'c', version: '1.2.0', tables: [people, sales] };
const header = 'number,line,person,day,due,state,amount,post,mail';
const now = Date.UTC(2024, 5, 1) * 1000;

async function checkSales(text: string, name = 'sales.csv') {
  const path = join(folder, name);
  await writeFile(path, text);
  return await checkFile(path, sales, contract, { now, keysOf: async () => new Set(['1', '2']) });
}

describe('a file checked against its contract', () => {
  test('tells how many rows cannot be read, however many there are', async () => {
    const report = await checkSales(`${header}\n${'too,few\n'.repeat(2_500)}`);
    expect(report.deviations).toMatchObject([{ rule: 'unreadable_row', count: 2_500 }]);
  });

  test('is refused by name of the pattern, when its contract has one that cannot be used', async () => {
    const old = { ...sales, columns: [...sales.columns, column('code', 'string', { pattern: '^(?=a)' })] };
    const path = join(folder, 'old-pattern.csv');
    await writeFile(path, `${header},code\n`);
    await expect(checkFile(path, old, contract)).rejects.toThrow(/pattern \^\(\?=a\) of column code .*looks ahead/);
  });

  test('has no deviation when it keeps it, dates ahead in planned columns included', async () => {
    const report = await checkSales(
      `${header}\na,1,1,2024-01-01,2030-01-01,new,0,01234,x@y.org\na,2,2.0,2024-01-01,,,1000,,\n`,
    );
    expect(report.deviations).toEqual([]);
    expect(report.proposal).toBeNull();
    expect(report.rows).toBe(2);
  });

  test('names each kind of bad row with its column, count and first rows', async () => {
    const report = await checkSales(
      [
        header,
        'a,1,1,2024-01-01,,new,5,12345,x@y.org',
        'a,1,7,2024-06-02,,Paid,-1,1234,x.y.org',
        'b,x,1,1899-12-31,,paid,1001,12345,',
        'c,1,1,,,new,5,,',
        'd,1,1,2024-01-01,,,,,',
        ...Array.from({ length: 30 }, (_, i) => `e${i},1,9,2024-01-01,,,,,`),
      ].join('\n'),
    );
    const found = Object.fromEntries(
      report.deviations.map((deviation) => [`${deviation.column} ${deviation.rule}`, deviation]),
    );
    expect(Object.keys(found).sort()).toEqual([
      'amount above_maximum',
      'amount below_minimum',
      'day before_1900',
      'day in_future',
      'day missing_value',
      'line wrong_type',
      'mail wrong_format',
      'null duplicate_key',
      'person dangling_reference',
      'post wrong_pattern',
      'state not_allowed',
    ]);
    expect(report.deviations.every((deviation) => deviation.kind === 'data')).toBe(true);
    expect(found['null duplicate_key']).toMatchObject({ count: 1, samples: [{ row: 2, value: 'a + 1' }] });
    expect(found['line wrong_type']).toMatchObject({ count: 1, samples: [{ row: 3, value: 'x' }] });
    expect(found['person dangling_reference'].count).toBe(31);
    expect(found['person dangling_reference'].samples).toHaveLength(20);
    // All rows are listed, so that they can be taken out of the file.
    expect(found['person dangling_reference'].rows).toEqual([2, ...Array.from({ length: 30 }, (_, i) => 6 + i)]);
    expect(found['null duplicate_key'].rows).toEqual([2]);
    expect(report.proposal).toBeNull();
  });

  test('lists two thousand rows at most, whatever their faults', async () => {
    const bad = Array.from({ length: 1_500 }, (_, i) => `e${i},1,9,2024-01-01,,Paid,,,`);
    const { deviations } = await checkSales([header, ...bad].join('\n'));
    const [first, second] = deviations;
    expect([first.count, second.count]).toEqual([1_500, 1_500]);
    expect(first.rows!.length + second.rows!.length).toBe(2_000);
  });

  test('proposes to list few new values, and takes words for none and other letters as faults of their rows', async () => {
    const check = (...states: string[]) =>
      checkSales([header, ...states.map((state, i) => `n${i},1,1,2024-01-01,,${state},5,,`)].join('\n'));
    const grown = await check('new', 'lent', 'lent');
    expect(grown.deviations).toMatchObject([
      {
        kind: 'structure',
        rule: 'new_values',
        count: 2,
        samples: [{ row: 2, value: 'lent' }, { row: 3 }],
        message: 'state: 2 rows have a value that the contract does not list',
      },
    ]);
    expect(grown.proposal!.changes).toMatchObject([{ breaking: false, after: ['new', 'paid', 'lent'] }]);
    for (const fault of ['PAID', 'paíd', 'N/A', 'n/a'])
      expect([fault, (await check(fault)).proposal]).toEqual([fault, null]);
    expect((await check('a', 'b', 'c')).proposal).toBeNull();
  });

  test('may hold the texts that stand for a missing value, which break no rule but the required', async () => {
    const missingValues = ['?', '-1'];
    const table: TableContract = {
      ...sales,
      columns: sales.columns.map((other) =>
        ['line', 'person', 'due', 'amount', 'mail', 'state', 'post'].includes(other.name)
          ? { ...other, missingValues }
          : other,
      ),
    };
    const path = join(folder, 'absent.csv');
    const rows = [
      'a,1,?,2024-01-01,?,?,-1,?,?',
      'b,?,1,2024-01-01,,new,?,01234,',
      'c,3,1,2024-01-01,,new,no,01234,?',
      'c,4,1,2024-01-01,,new,8,01234,?',
      'c,5,1,2024-01-01,,new,9,01234,?',
    ];
    await writeFile(path, [header, ...rows].join('\n'));
    const report = await checkFile(
      path,
      table,
      { ...contract, tables: [people, table] },
      {
        keysOf: async () => new Set(['1']),
      },
    );
    expect(report.deviations.map(({ rule, column: name, samples }) => [rule, name, samples])).toEqual([
      ['missing_value', 'line', [{ row: 2, value: null }]],
      ['wrong_type', 'amount', [{ row: 3, value: 'no' }]],
    ]);
  });

  test('that marks missing values by a word is told where to say so', async () => {
    const report = await checkSales(`${header}\na,1,1,2024-01-01,,,N/A,,\n${'b,2,1,2024-01-01,,,5,,\n'.repeat(30)}`);
    const wrong = report.deviations.find(({ rule }) => rule === 'wrong_type');
    expect(wrong!.message).toMatch(/^amount: 1 row: is not a number such as 1234.5: list it in missingValues/);
  });

  test('with a new column that has words for absence leads to a contract by which it is right', async () => {
    const path = join(folder, 'extra.csv');
    const rows = Array.from({ length: 30 }, (_, i) => `${i},,${i % 7 === 0 ? 'NA' : i / 2}`);
    await writeFile(path, `id,parent,size\n${rows.join('\n')}\n`);
    const { proposal } = await checkFile(path, people, contract);
    const next = parseContract(writeContract(proposal!.contract), 'next');
    expect(next.tables[0].columns[2]).toMatchObject({ name: 'size', type: 'number', missingValues: ['NA'] });
    expect((await checkFile(path, next.tables[0], next)).deviations).toEqual([]);
  });

  test('that has other columns throughout leads to a new version of the contract with its diff', async () => {
    const report = await checkSales(
      [
        'number,line,person,day,due,state,amount,post,extra',
        ...Array.from({ length: 20 }, (_, i) => `n${i},${i + 0.5},1,2024-01-01 10:00:00,soon,new,5,12345,${i}`),
      ].join('\n'),
    );
    const structural = report.deviations.filter((deviation) => deviation.kind === 'structure');
    expect(structural.map((deviation) => `${deviation.rule} ${deviation.column}`)).toEqual([
      'missing_column mail',
      'unknown_column extra',
      'changed_type line',
      'changed_type day',
      'changed_type due',
    ]);
    expect(report.deviations.filter((deviation) => deviation.rule === 'wrong_type')).toEqual([]);
    const changes = report.proposal!.changes.map((change) => `${change.kind} ${change.path} ${change.after}`);
    expect(changes).toEqual([
      'changed sales.line.type number',
      'changed sales.day.type timestamp',
      'changed sales.due.type string',
      'changed sales.due.planned false',
      'removed sales.mail null',
      'added sales.extra integer',
    ]);
    expect(report.proposal!.contract.version).toBe('2.0.0');
    expect(parseContract(writeContract(report.proposal!.contract), 'c')).toEqual(report.proposal!.contract);
  });

  test('that lacks a key gets no proposal', async () => {
    const report = await checkSales('line,person,day,due,state,amount,post,mail\n1,1,2024-01-01,,,,,\n');
    expect(report.deviations).toMatchObject([{ kind: 'structure', rule: 'missing_column', column: 'number' }]);
    expect(report.proposal).toBeNull();
  });

  test('may point to later rows of its own table', async () => {
    const path = join(folder, 'people.csv');
    await writeFile(path, 'id,parent\n1,3\n2,\n3,1\n3,9\n');
    const report = await checkFile(path, people, contract);
    expect(report.deviations).toMatchObject([
      { rule: 'duplicate_key', column: 'id', count: 1, samples: [{ row: 4, value: '3' }] },
      { rule: 'dangling_reference', column: 'parent', count: 1, samples: [{ row: 4, value: '9' }] },
    ]);
  });

  test('may hold several versions of a row when they are dated', async () => {
    const path = join(folder, 'versions.csv');
    await writeFile(path, 'id,seen\n1,2024-01-01\n1,2024-01-02\n1,2024-01-02\n');
    const versioned: TableContract = {
      name: 'versions',
      key: ['id'],
      references: [],
      knownAt: 'seen',
      columns: [column('id', 'integer', { required: true, unique: true }), column('seen', 'date')],
    };
    const report = await checkFile(path, versioned, { id: 'c', version: '1', tables: [versioned] });
    expect(report.deviations).toMatchObject([{ rule: 'duplicate_key', count: 1, samples: [{ row: 3 }] }]);
  });
});

describe('two contracts compared', () => {
  test('differ in what was added, removed and changed, and what breaks is marked', () => {
    const next: Contract = {
      ...contract,
      tables: [
        { ...people, references: [] },
        {
          ...sales,
          time: { column: 'due' },
          columns: sales.columns
            .filter((other) => other.name !== 'mail')
            .map((other) => (other.name === 'state' ? { ...other, enum: ['new', 'paid', 'void'] } : other))
            .concat(column('note', 'string')),
        },
      ],
    };
    expect(diffContracts(contract, next)).toEqual([
      { path: 'people.parent.references', kind: 'removed', before: 'people.id', after: null, breaking: true },
      { path: 'sales.eventTime', kind: 'changed', before: 'day', after: 'due', breaking: true },
      {
        path: 'sales.state.enum',
        kind: 'changed',
        before: ['new', 'paid'],
        after: ['new', 'paid', 'void'],
        breaking: false,
      },
      { path: 'sales.mail', kind: 'removed', before: 'string', after: null, breaking: true },
      { path: 'sales.note', kind: 'added', before: null, after: 'string', breaking: false },
    ]);
    expect(diffContracts(contract, contract)).toEqual([]);
  });

  test('differ in what stands for a missing value; only what a file may still hold and is no longer listed breaks', () => {
    const listing = (...missingValues: string[]): Contract => ({
      ...contract,
      tables: [{ ...people, columns: [people.columns[0], column('parent', 'integer', { missingValues })] }, sales],
    });
    const breaks = (before: Contract, after: Contract) =>
      diffContracts(before, after).map(({ path, breaking }) => [path, breaking]);
    const path = 'people.parent.missingValues';
    expect(breaks(contract, listing('?'))).toEqual([[path, false]]);
    expect(breaks(listing('?'), listing('NA', '?'))).toEqual([[path, false]]);
    expect(breaks(listing('?', 'NA'), listing('?'))).toEqual([[path, true]]);
    expect(breaks(listing('?'), contract)).toEqual([[path, true]]);
  });
});

describe('the command', () => {
  async function run(...args: string[]): Promise<{ code: number; text: string; lines: string }> {
    let text = '';
    const lines: string[] = [];
    const code = await contractCommand(args, { write: (part) => (text += part) }, (line) => lines.push(line));
    return { code, text, lines: lines.join('\n') };
  }

  test('infers a contract that its own files keep, and tells two contracts apart', async () => {
    const place = await mkdtemp(join(folder, 'shop-'));
    const day = (i: number): string => `2024-01-${String((i % 28) + 1).padStart(2, '0')}`;
    await writeFile(
      join(place, 'users.csv'),
      `id,joined\n${Array.from({ length: 40 }, (_, i) => `${i + 1},2023-01-01`).join('\n')}\n`,
    );
    await writeFile(
      join(place, 'visits.csv'),
      `id,user_id,day\n${Array.from({ length: 200 }, (_, i) => `${i + 1},${(i % 40) + 1},${day(i)}`).join('\n')}\n`,
    );
    const file = join(folder, 'shop.yaml');
    const inferred = await run('infer', place, '--out', file, '--guesses', join(folder, 'guesses.json'));
    expect(inferred).toMatchObject({ code: 0, text: '' });
    expect(inferred.lines).toContain('user_id → users');
    const checked = await run('check', file, place);
    expect(checked.text).toBe('users: 40 rows, as the contract says\nvisits: 200 rows, as the contract says\n');
    expect(checked.code).toBe(0);
    await writeFile(join(place, 'visits.csv'), 'id,user_id,day,extra\n1,77,2024-01-01,x\n');
    const changed = await run('check', file, place, '--proposal', join(folder, 'next.yaml'));
    expect(changed.code).toBe(1);
    expect(changed.text).toContain('structure unknown_column: extra');
    // As in a service, that is told and refuses nothing.
    expect(changed.text).toContain('warning dangling_reference: user_id: 1 row: is no key of users');
    expect((await run('diff', file, join(folder, 'next.yaml'))).text).toBe('added visits.extra: string\n');
  });

  test('recognises a column under another name by files of before, and checks its values too', async () => {
    const [before, now] = ['before', 'now'].map((name) => join(folder, name));
    const file = join(folder, 'days.yaml');
    const rowsOf = (from: number, cell: (i: number) => string) =>
      Array.from({ length: 300 }, (_, i) => `${from + i},2024-01-${10 + (i % 20)},${cell(i)}`).join('\n');
    const amount = (i: number) => String(((i * 7919) % 1000) / 8);
    for (const place of [before, now]) await mkdir(place);
    await writeFile(join(before, 'sales.csv'), `id,day,amount\n${rowsOf(1, amount)}\n`);
    await writeFile(join(now, 'sales.csv'), `id,day,total\n${rowsOf(1, (i) => (i === 7 ? '-3' : amount(i)))}\n`);
    await run('infer', before, '--out', file);
    const blind = await run('check', file, now, '--proposal', join(folder, 'blind.yaml'));
    expect(blind.text).toContain('structure missing_column: amount');
    const told = await run('check', file, now, '--earlier', before, '--proposal', join(folder, 'next.yaml'));
    expect(told.text).toContain('structure renamed_column: amount: the file has it as total');
    expect(told.text).toContain('data below_minimum: amount: 1 row: ');
    expect(told.text).toContain('row 8 "-3"');
    expect((await run('diff', file, join(folder, 'next.yaml'))).text).toBe('added sales.amount.aliases: ["total"]\n');
  });

  test('takes a table that is a folder of files as one, and says which file deviates', async () => {
    const place = join(folder, 'parted', 'tables');
    await mkdir(join(place, 'visits'), { recursive: true });
    const users = Array.from({ length: 40 }, (_, i) => String(i + 1));
    await writeFile(join(place, 'users.csv'), `id\n${users.join('\n')}\n`);
    const visits = (from: number) => `id,user_id\n${users.map((user, i) => `${from + i},${user}`).join('\n')}\n`;
    await writeFile(join(place, 'visits', '1.csv'), visits(1));
    await writeFile(join(place, 'visits', '2.csv'), visits(101));
    const file = join(folder, 'parted.yaml');
    expect((await run('infer', join(folder, 'parted'), '--out', file)).lines).toContain('visits: 80 rows');
    const checked = await run('check', file, join(folder, 'parted'));
    expect(checked).toMatchObject({
      code: 0,
      text: [
        'users: 40 rows, as the contract says',
        'visits/1.csv: 40 rows, as the contract says',
        'visits/2.csv: 40 rows, as the contract says\n',
      ].join('\n'),
    });
    await writeFile(join(place, 'visits', '2.csv'), 'id,user_id\n101,77\n');
    expect((await run('check', file, join(folder, 'parted'))).text).toContain(
      'visits/2.csv: 1 rows, as the contract says, 1 warning\n  warning dangling_reference: user_id',
    );
    await writeFile(join(place, 'visits.csv'), visits(1));
    expect(await run('infer', join(folder, 'parted'))).toMatchObject({
      code: 2,
      lines: expect.stringContaining('table visits: visits and visits'),
    });
  });

  test('refuses what it does not understand with a way out', async () => {
    expect(await run('infer', folder, '--colour', 'red')).toMatchObject({
      code: 2,
      lines: expect.stringContaining('--colour'),
    });
    expect(await run('infer')).toMatchObject({ code: 2, lines: expect.stringContaining('<folder>') });
    expect(await run('invent')).toMatchObject({ code: 2, lines: expect.stringContaining('--help') });
    expect(await run('infer', join(folder, 'nowhere'))).toMatchObject({
      code: 2,
      lines: expect.stringContaining('nowhere'),
    });
    expect(await run('--help')).toMatchObject({ code: 0, text: expect.stringContaining('contract infer <folder>') });
  });
});
