import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { at, day, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { type Notice, sayNotice } from '../contract/notices.ts';
import { entityTable, readExamples } from './examples.ts';
import { readOutputs } from './labels.ts';
import { parseTask } from './parse-task.ts';

test('a task for a table whose rows repeat its key is told which column, and what to do', () => {
  const contract = sampleContract([{ name: 'people', columns: { person: 'string' } }]);
  const tables = sampleTables(contract, { people: [{ person: 'a' }, { person: 'a' }] });
  const taskOf = (key: string) =>
    parseTask(`entity: people\nkey: ${key}\nlabel: left\nkind: binary\n`, 'leaving', 'task.yaml');
  expect(() => entityTable(taskOf('person'), tables)).toThrow(
    /table people has no key of one column; remove the rows that repeat person, or make it the primaryKey in contract\.yaml/,
  );
  expect(() => entityTable(taskOf('number'), tables)).toThrow(/repeat the column that names its rows/);
});

describe('a label', () => {
  const folder = mkdtempSync(join(tmpdir(), 'labels-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const contract = sampleContract([{ name: 'people', key: 'person', columns: { person: 'string' } }]);
  const tables = sampleTables(contract, { people: [{ person: 'a' }, { person: 'b' }] });
  const read = (rows: string, fields = '', kind = 'binary') => {
    const path = join(folder, 'train.csv');
    writeFileSync(path, `person,date,settled,left\n${rows}`);
    const task = parseTask(
      `entity: people\nkey: person\nlabel: left\nkind: ${kind}\n${fields}`,
      'leaving',
      'task.yaml',
    );
    return readExamples(path, task, tables, true, [], []);
  };
  const rows = 'a,2024-01-01,2024-03-05,1\nb,2024-01-01,2024-03-05T12:00:00Z,0\nb,2024-02-01,,1\n';

  test('is known when its window is over, and never where the task gives none', async () => {
    expect([...(await read(rows)).closes]).toEqual([Infinity, Infinity, Infinity]);
    const [first] = (await read(rows, 'window: 30d\n')).closes;
    expect(first).toBe(at('2024-01-31'));
  });

  test('is known when its file says: of a day at its end, else at its window', async () => {
    const noon = at('2024-03-05') + day / 2;
    expect([...(await read(rows, 'known: settled\n')).closes]).toEqual([at('2024-03-06') - 1, noon, Infinity]);
    expect((await read(rows, 'known: settled\nwindow: 30d\n')).closes[2]).toBe(at('2024-03-02'));
  });

  test('has its times as the column of their name writes them, too', async () => {
    const columns = { person: 'string', settled: { type: 'date', dateForm: 'dd/MM/yyyy' } } as const;
    const written = sampleTables(sampleContract([{ name: 'people', key: 'person', columns }]), {
      people: [{ person: 'a' }, { person: 'b' }],
    });
    const path = join(folder, 'train.csv');
    writeFileSync(path, 'person,date,settled,left\na,2024-01-01,05/03/2024,1\nb,2024-01-01,2024-03-06,0\n');
    const text = 'entity: people\nkey: person\nlabel: left\nkind: binary\nknown: settled\n';
    const { closes } = await readExamples(path, parseTask(text, 'leaving', 'task.yaml'), written, true, [], []);
    expect([...closes]).toEqual([at('2024-03-06') - 1, at('2024-03-07') - 1]);
    await expect(read(rows.replaceAll('2024-03-05', '05/03/2024'), 'known: settled\n')).rejects.toThrow(
      /row 1, column settled: expected a timestamp such as 2024/,
    );
  });

  test('that is known at its own anchor or before is refused, and so is a file without the column', async () => {
    await expect(read('a,2024-01-01,2024-01-01,1\n', 'known: settled\n')).rejects.toThrow(
      /train\.csv, row 1, column settled: the label must be known after date/,
    );
    await expect(read(rows, 'known: settle\n')).rejects.toThrow(
      'train.csv lacks the known column settle (did you mean settled?); it has person, date, settled, left',
    );
  });

  test('whose classes differ only in the case of letters is told so, and they stay different', async () => {
    const told = async (...texts: string[]) => {
      const path = join(folder, 'train.csv');
      writeFileSync(path, `person,date,left\n${texts.map((text, i) => `a,2024-01-0${i + 1},${text}\n`).join('')}`);
      const task = parseTask('entity: people\nkey: person\nlabel: left\nkind: multiclass\n', 'leaving', 'task.yaml');
      const warnings: Notice[] = [];
      const { outputs } = await readOutputs(task, tables, [path], warnings, at('2025-01-01'));
      return { warnings, classes: outputs[0].objective.classes };
    };
    const { warnings, classes } = await told('f1', 'F2', 'F1', 'f1', 'f2', 'f3');
    expect(classes).toEqual(['f1', 'F2', 'F1', 'f2', 'f3']);
    expect(warnings.map(sayNotice)).toEqual([
      expect.stringMatching(/only in upper and lower case.*"f1" and "F1"; "F2" and "f2"/),
    ]);
    expect((await told('f1', 'f2')).warnings).toEqual([]);
  });

  test('is of at most a thousand classes', async () => {
    const texts = (count: number) => Array.from({ length: count }, (_, i) => `a,2024-01-01,,text ${i}\n`).join('');
    expect((await read(texts(1_000), '', 'multiclass')).labels[999]).toBe(999);
    await expect(read(texts(1_001), '', 'multiclass')).rejects.toThrow(
      /train\.csv, row 1001, column left: more than 1000 different labels; name at most so many classes, or predict a number \(kind: regression\)/,
    );
  });
});
