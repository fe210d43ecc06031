import { isOneOf } from '../kit/one-of.ts';

const orders = ['newest', 'oldest'] as const;
const keyLengthMax = 500;

/** What the page of a table shows of its rows: those with a key, or all of them in an order. */
export type TableSearch = {
  readonly key?: string;
  /** Whether the key is only how keys begin. */
  readonly begins?: true;
  /** By the date of the rows; else in the order in which they came. */
  readonly order?: (typeof orders)[number];
};

/** Reads the query of the page's address; what it does not know is left out. A key of digits comes as a number. */
export function readTableSearch({ key, begins, order }: Readonly<Record<string, unknown>>): TableSearch {
  const text = typeof key === 'number' ? String(key) : key;
  if (typeof text === 'string' && text !== '' && text.length <= keyLengthMax)
    return { key: text, ...(begins === true && { begins }) };
  return isOneOf(orders, order) ? { order } : {};
}
