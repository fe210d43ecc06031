import type { Contract } from './contract.ts';
import type { ContractProblem } from './validate.ts';

/** Most tables of a contract that is proposed. */
export const tablesMax = 1_000;
/** Most columns of one of its tables. */
export const tableColumnsMax = 5_000;
/** Most columns of all its tables together. */
export const contractColumnsMax = 20_000;
/** Most characters of the name of a table or a column. */
export const nameLengthMax = 200;

/** Most names of one contract that are told as too long. */
const namesTold = 20;

/**
 * What in a contract is more than is taken from now on. Contracts that were accepted before a limit go on to be read:
 * parsing does not ask this.
 */
export function sizeProblems({ tables }: Contract): ContractProblem[] {
  const problems: ContractProblem[] = [];
  if (tables.length > tablesMax)
    problems.push({
      path: ['schema'],
      message: `has ${tables.length} tables; at most ${tablesMax}: leave out those that no question is about`,
    });
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  if (columns > contractColumnsMax)
    problems.push({
      path: ['schema'],
      message: `has ${columns} columns; at most ${contractColumnsMax}: leave out those that tell nothing`,
    });
  for (const [at, table] of tables.entries())
    if (table.columns.length > tableColumnsMax)
      problems.push({
        path: ['schema', at, 'properties'],
        message: `has ${table.columns.length} columns; at most ${tableColumnsMax}: make several tables of it that share its key`,
      });
  const names = tables.flatMap((table, at) => [
    { name: table.name, path: ['schema', at, 'name'] },
    ...table.columns.map(({ name }, column) => ({ name, path: ['schema', at, 'properties', column, 'name'] })),
  ]);
  const long = names.filter(({ name }) => name.length > nameLengthMax).slice(0, namesTold);
  for (const { name, path } of long)
    problems.push({ path, message: `is a name of ${name.length} characters; at most ${nameLengthMax}` });
  return problems;
}
