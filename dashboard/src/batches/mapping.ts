/** The columns that inputs are read from, by input; '' where none is to be read. */
export type Mapping = Readonly<Record<string, string>>;

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

/** `CNPJ → document, DATA_REF → date`; '' for none. */
export function sayMapping(mapping: Mapping): string {
  return Object.entries(mapping)
    .map(([input, column]) => `${column} → ${input}`)
    .join(', ');
}
