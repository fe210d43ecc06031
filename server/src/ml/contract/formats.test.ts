import { expect, test } from 'vitest';
import { isCnpj, isCpf, isOfFormat } from './formats.ts';

// The alphanumeric example is the Receita Federal's own (Manual de cálculo do DV do CNPJ alfanumérico).
test.each(['12.ABC.345/01DE-35', '12ABC34501DE35', '00000000000191', '33.000.167/0001-01'])('%s is a CNPJ', (text) => {
  expect(isCnpj(text)).toBe(true);
});

test.each(['12ABC34501DE36', '00000000000192', '00000000000000', '1234', '33.000.167/0001-1A'])(
  '%s is no CNPJ',
  (text) => {
    expect(isCnpj(text)).toBe(false);
  },
);

test.each([
  ['529.982.247-25', true],
  ['52998224725', true],
  ['52998224724', false],
  ['11111111111', false],
])('whether %s is a CPF: %s', (text, expected) => {
  expect(isCpf(text)).toBe(expected);
});

test('a date is no telephone number', () => {
  expect(isOfFormat('phone', '2020-01-31')).toBe(false);
  expect(isOfFormat('phone', '+55 (11) 98765-4321')).toBe(true);
});
