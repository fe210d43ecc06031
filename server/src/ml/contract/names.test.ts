import { expect, test } from 'vitest';
import { singular } from './names.ts';

test.each([
  ['elevadores', 'elevador'],
  ['fornecedores', 'fornecedor'],
  ['fatores', 'fator'],
  ['transações', 'transação'],
  ['transacoes', 'transacao'],
  ['clientes', 'cliente'],
  ['stores', 'store'],
  ['scores', 'score'],
  ['heroes', 'hero'],
  ['companies', 'company'],
  ['addresses', 'address'],
])('of %s there is one %s', (many, one) => {
  expect(singular(many)).toBe(one);
});
