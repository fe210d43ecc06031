import { expect, test } from 'vitest';
import { documentKind, hasCpf, isMistyped, maskedCpf, punctuated, withoutCpf } from './documents.ts';

test('documents are known by their check digits, with and without punctuation', () => {
  expect(documentKind('529.982.247-25')).toBe('cpf');
  expect(documentKind('52998224725')).toBe('cpf');
  expect(documentKind('52998224724')).toBe(null);
  expect(documentKind('11111111111')).toBe(null);
  expect(documentKind('11.222.333/0001-81')).toBe('cnpj');
  // The example of the Receita Federal for numbers with letters.
  expect(documentKind('12.abc.345/01de-35')).toBe('cnpj');
  expect(documentKind('12ABC34501DE36')).toBe(null);
  expect(documentKind('C000143')).toBe(null);
  // Without punctuation it may be another key.
  const texts = ['529.982.247-26', '11.222.333/0001-80', '529.982.247-25', '11.222.333/0001-81', '52998224726', ''];
  expect(texts.map(isMistyped)).toEqual([true, true, false, false, false, false]);
});

test('what is typed of a document has the punctuation that belongs there', () => {
  expect(punctuated('529', 'cpf')).toBe('529');
  expect(punctuated('5299', 'cpf')).toBe('529.9');
  expect(punctuated('529982247-25', 'cpf')).toBe('529.982.247-25');
  expect(punctuated('12abc34501de35', 'cnpj')).toBe('12.ABC.345/01DE-35');
});

test('every CPF of a value is masked, and nothing else is changed', () => {
  expect(maskedCpf('529.982.247-25')).toBe('•••.982.247-••');
  const value = { key: '52998224725', other: ['11.222.333/0001-81', 52998224725, null, { deep: '529.982.247-25' }] };
  const masked = '•••.982.247-••';
  expect(withoutCpf(value)).toEqual({
    key: masked,
    other: ['11.222.333/0001-81', 52998224725, null, { deep: masked }],
  });
  expect(hasCpf(value)).toBe(true);
  expect(hasCpf({ key: '11.222.333/0001-81', count: 3 })).toBe(false);
});
