import { Failure } from '../../lib/failure.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import { vectorFormat } from './given-vectors.ts';
import { dayInput } from './schema.ts';
import type { Version } from './version.ts';

/** The columns to read from a file of rows to predict: the inputs of a version, without the day of the prediction. */
export function inputRequests({ contract, task, inputFields }: Version): ColumnRequest[] {
  const { columns } = contract.tables.find(({ name }) => name === task.entity)!;
  return inputFields
    .filter(({ name }) => name !== dayInput)
    .map(({ name, type, required, format }) => {
      const missing = columns.find((column) => column.name === name)?.missingValues;
      return {
        ...{ name, type, required },
        ...(missing && { missing }),
        ...(format === vectorFormat && { takesLists: true }),
      };
    });
}

/** Throws Failure 'invalid' where a file lacks a required column of a version. */
export function requireInputs(version: Version, has: (column: string) => boolean): void {
  const needed = inputRequests(version)
    .filter(({ required }) => required)
    .map(({ name }) => name);
  const lacking = needed.filter((name) => !has(name));
  if (lacking.length > 0)
    throw new Failure('invalid', `the file lacks ${lacking.join(', ')}; this version needs ${needed.join(', ')}`);
}
