import { expect, test } from 'vitest';
import { placeFoldEmbeddings } from './fold-embeddings.ts';

/** Two rows of a matrix of four columns, of which the encoder's are the second and third. */
const own = () => Float32Array.of(1, 2, 30, 31, 40, 41, 5, 6);
const place = { from: 1, columns: 2 };
const folds = (...values: number[]) => ({ rows: 2, features: values.length / 2, values: Float32Array.from(values) });

test('columns of the fold encoder take the place of those of the encoder, and touch no others', () => {
  const values = own();
  placeFoldEmbeddings(values, place, folds(7, 8, 9, 10));
  expect([...values]).toEqual([1, 2, 7, 8, 9, 10, 5, 6]);
});

test('a forecast that the fold encoder has not is unknown to folds, instead of told by one that read them', () => {
  const values = own();
  placeFoldEmbeddings(values, place, folds(7, 8));
  expect([...values]).toEqual([1, 2, 7, 8, Number.NaN, Number.NaN, 5, 6]);
});

test('a forecast that only the fold encoder has is left out', () => {
  const values = own();
  placeFoldEmbeddings(values, place, folds(7, 8, 9, 10, 11, 12));
  expect([...values]).toEqual([1, 2, 7, 8, 9, 10, 5, 6]);
});
