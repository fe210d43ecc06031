import { expect, test } from 'vitest';
import { referenceLikeness, singular } from './names.ts';

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

test.each(['player_1', 'player_2', 'player1', 'player1_id', 'team_player_a', 'player_b'])(
  'of several players %s is one',
  (column) => {
    expect(referenceLikeness(column, 'players', 'player_id')).toBeGreaterThan(0.65);
  },
);

test.each(['aces_1', 'address_2', 'line_1', 'set_a'])('%s names no player', (column) => {
  expect(referenceLikeness(column, 'players', 'player_id')).toBe(0);
});
