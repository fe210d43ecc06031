import type { Version } from './version.ts';

/** The inputs of a version that name an entity, each with the table that it is of, the one to look at first leading. */
export type Subjects = readonly { readonly input: string; readonly table: string }[];

/**
 * Whom a row asked about is about: of an entity, itself; of a new row, the entities that it refers to, those that the
 * version requires first, and then the row itself.
 */
export function subjectsOf({ task, contract, fresh, inputFields }: Version): Subjects {
  const { key, references } = contract.tables.find(({ name }) => name === task.entity)!;
  const own = { input: key[0], table: task.entity };
  if (!fresh) return [own];
  const referred = inputFields.flatMap(({ name, required }) => {
    const reference = references.find(({ column }) => column === name);
    return reference ? [{ input: name, table: reference.table, required }] : [];
  });
  const sorted = [...referred.filter(({ required }) => required), ...referred.filter(({ required }) => !required)];
  return [...sorted.map(({ input, table }) => ({ input, table })), own];
}
