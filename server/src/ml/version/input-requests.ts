import { Failure } from '../../lib/failure.ts';
import type { ColumnRequest } from '../../lib/files/read.ts';
import { vectorFormat } from './given-vectors.ts';
import { echoed } from './schema.ts';
import type { Version } from './version.ts';

/** The columns a file of rows to predict is read with. `present`: those the file has; a missing required one is refused. */
export function inputRequests(version: Version, present: ReadonlySet<string>) {
  const { columns } = version.contract.tables.find(({ name }) => name === version.task.entity)!;
  const wanted = version.inputFields.map(({ name, type, required, format }): ColumnRequest => {
    const missing = columns.find((column) => column.name === name)?.missingValues;
    return { name, type, required, ...(missing && { missing }), ...(format === vectorFormat && { takesLists: true }) };
  });
  const lacking = wanted.filter(({ name, required }) => required && !present.has(name));
  if (lacking.length > 0) {
    throw new Failure(
      'invalid',
      `the file lacks ${lacking.map(({ name }) => name).join(', ')}; this version needs ${wanted
        .filter((field) => field.required)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  return [...wanted, ...echoed.map((name) => ({ name, type: 'string' as const, required: false }))].filter(({ name }) =>
    present.has(name),
  );
}
