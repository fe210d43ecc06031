/** What the columns of a log are called that are no inputs. Names of inputs hold no `$`. */
export const columnNames = {
  id: '$id',
  version: '$version',
  alias: '$alias',
  /** Of the answer, and when it was made: instants. */
  asOf: '$as_of',
  generated: '$generated',
  entity: '$entity',
} as const;

/** The column of a field of the answers. */
export const outputColumn = (field: string): string => `$output.${field}`;
