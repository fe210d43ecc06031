import { expect, test } from 'vitest';
import { kindOf } from './kind-of.ts';

test('who has a CPF is a person, also in a table that is taken for companies', () => {
  expect(kindOf('529.982.247-25', 'company')).toBe('individual');
  expect(kindOf('11.222.333/0001-81', 'individual')).toBe('company');
  expect(kindOf('A0001', 'asset')).toBe('asset');
  expect(kindOf('A0001', null)).toBeNull();
});
