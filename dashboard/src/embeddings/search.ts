export type EmbeddingsSearch = {
  /** The table whose entities are shown. */
  readonly entity?: string;
  /** The entity that is chosen. */
  readonly key?: string;
  readonly as_of?: string;
  readonly color?: 'band';
  readonly limit?: 200 | 2000;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readEmbeddingsSearch = ({
  entity,
  key,
  as_of,
  color,
  limit,
}: Readonly<Record<string, unknown>>): EmbeddingsSearch => ({
  ...(typeof entity === 'string' && entity ? { entity } : {}),
  ...(typeof key === 'string' || typeof key === 'number' ? { key: String(key) } : {}),
  ...(typeof as_of === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(as_of) ? { as_of } : {}),
  ...(color === 'band' ? { color } : {}),
  ...(limit === 200 || limit === 2000 ? { limit } : {}),
});
