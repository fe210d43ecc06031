import { expect, test } from 'vitest';
import { playgroundAt } from './address.ts';

test('inputs are part of the address, to be shared', () => {
  const search = { model: 'credit', inputs: { amount: 1200, purpose: 'car' } };
  expect(playgroundAt(search)).toEqual({ to: '/playground', search, state: {} });
  expect(playgroundAt({ model: 'credit', inputs: {} })).toEqual({
    to: '/playground',
    search: { model: 'credit' },
    state: {},
  });
});

test.each([
  ['a CPF', { customer: '529.982.247-25', amount: 1 }],
  ['a CPF deep in them', { context: { payer: ['52998224725'] } }],
  ['more than an address holds', { note: 'x'.repeat(6_000) }],
])('inputs with %s are kept beside the address', (_, inputs) => {
  const { search, state } = playgroundAt({ model: 'credit', version: 'production', inputs });
  expect(search).toEqual({ model: 'credit', version: 'production' });
  expect(state).toEqual({ inputs });
});
