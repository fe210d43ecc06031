import { expect, test } from 'vitest';
import { sampleContract, sampleTables } from '../../../tests/samples.ts';
import { entityTable } from './examples.ts';
import { parseTask } from './task.ts';

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
