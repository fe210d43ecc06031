import { expect, test } from 'vitest';
import { isOfFormat } from './formats.ts';

test('tax numbers are held to their check digits', () => {
  expect(isOfFormat('cpf', '529.982.247-25')).toBe(true);
  expect(isOfFormat('cpf', '529.982.247-24')).toBe(false);
  expect(isOfFormat('cnpj', '12.abc.345/01de-35')).toBe(true);
  expect(isOfFormat('cnpj', '12.ABC.345/01DE-36')).toBe(false);
});

test('a date is no telephone number', () => {
  expect(isOfFormat('phone', '2020-01-31')).toBe(false);
  expect(isOfFormat('phone', '+55 (11) 98765-4321')).toBe(true);
});
