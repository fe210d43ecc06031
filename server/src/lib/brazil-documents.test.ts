import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bareDocument,
  cnpjFrom,
  cpfFrom,
  documentSpellings,
  isCnpj,
  isCpf,
  isMistypedDocument,
} from './brazil-documents.ts';

// The alphanumeric example is the Receita Federal's own (Manual de cálculo do DV do CNPJ alfanumérico).
test('published examples carry the digits we compute', () => {
  expect(cpfFrom(529_982_247)).toBe('529.982.247-25');
  expect(cpfFrom(111_444_777)).toBe('111.444.777-35');
  expect(cnpjFrom('11222333')).toBe('11.222.333/0001-81');
  expect(cnpjFrom('12ABC345', '01DE')).toBe('12.ABC.345/01DE-35');
});

test('validation takes both spellings and refuses everything else', () => {
  for (const cpf of ['529.982.247-25', '52998224725']) expect(isCpf(cpf), cpf).toBe(true);
  for (const cnpj of ['11.222.333/0001-81', '11222333000181', '12.ABC.345/01DE-35', '12abc34501de35', '00000000000191'])
    expect(isCnpj(cnpj), cnpj).toBe(true);

  const notCpf = [
    '',
    '529.982.247-24',
    '529982247-25',
    '5299822472',
    '529.982.247-25 ',
    '111.111.111-11',
    '00000000000',
  ];
  for (const text of notCpf) expect(isCpf(text), text).toBe(false);
  const notCnpj = [
    '11.222.333/0001-80',
    '12ABC34501DE36',
    '12ABC34501DEA5',
    '33.000.167/0001-1A',
    '1234',
    '00000000000000',
    '99.999.999/9999-99',
  ];
  for (const text of notCnpj) expect(isCnpj(text), text).toBe(false);
});

test('a number is compared without its punctuation', () => {
  expect(bareDocument('12.abc.345/01de-35')).toBe('12ABC34501DE35');
  expect(bareDocument(' 529.982.247-25')).toBe('52998224725');
});

test('numbers that are never issued are not made', () => {
  expect(() => cpfFrom(222_222_222)).toThrow(RangeError);
  expect(() => cpfFrom(1_000_000_000)).toThrow(RangeError);
  expect(() => cnpjFrom('1234567')).toThrow(RangeError);
  expect(() => cnpjFrom('00000000', '0000')).toThrow(RangeError);
});

test('every number made is valid, and its last digit is the only one that is', () => {
  const otherDigits = fc.integer({ min: 1, max: 9 });
  const changeLast = (text: string, step: number) => text.slice(0, -1) + ((Number(text.at(-1)) + step) % 10);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }), otherDigits, (base, step) => {
      fc.pre(!/^(\d)\1{8}$/.test(String(base).padStart(9, '0')));
      expect(isCpf(cpfFrom(base))).toBe(true);
      expect(isCpf(changeLast(cpfFrom(base), step))).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Z]{12}$/), otherDigits, (stem, step) => {
      fc.pre(!/^(.)\1{11}$/.test(stem));
      const cnpj = cnpjFrom(stem.slice(0, 8), stem.slice(8));
      expect(isCnpj(cnpj)).toBe(true);
      expect(isCnpj(changeLast(cnpj, step))).toBe(false);
    }),
  );
});

test('a document is found however it is punctuated, and other texts as they are', () => {
  const all = ['11222333000181', '11.222.333/0001-81'];
  for (const text of all) expect(documentSpellings(text)).toEqual(expect.arrayContaining(all));
  expect(documentSpellings('52998224725')).toContain('529.982.247-25');
  expect(documentSpellings('529.982')).toEqual(expect.arrayContaining(['529982', '529.982']));
  expect(documentSpellings('11.222.3')).toContain('112223');
  expect(documentSpellings('12.ABC.345/01DE-35')).toContain('12ABC34501DE35');
  for (const text of ['c-7', 'Rua 7', '2022-06-30', '']) expect(documentSpellings(text)).toEqual([text]);
});

test('a document with a digit mistyped is told from other keys', () => {
  for (const text of ['529.982.247-26', '11.222.333/0001-80', '12.abc.345/01de-36', '111.111.111-11'])
    expect(isMistypedDocument(text), text).toBe(true);
  for (const text of ['529.982.247-25', '11.222.333/0001-81', '12.ABC.345/01DE-35', '52998224726', 'C-12', ''])
    expect(isMistypedDocument(text), text).toBe(false);
});
