import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { entityOf, type FactStore, openStore, writeStore } from '../facts/store.ts';
import { importRegister } from './import.ts';
import { openPersonMatcher } from './match.ts';
import { companyRootOf, normalizeName, visibleDigitsOf } from './names.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-register-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file in the published format: Latin-1, quoted, semicolons, CRLF, no header. All content is fictitious. */
function publish(name: string, rows: readonly (readonly string[])[]): string {
  const path = join(folder, name);
  const text = rows.map((row) => `${row.map((field) => `"${field.replaceAll('"', '""')}"`).join(';')}\r\n`).join('');
  writeFileSync(path, Buffer.from(text, 'latin1'));
  return path;
}

const companies = () =>
  publish('K3241.K03200Y0.D60613.EMPRECSV', [
    ['11222333', 'PADARIA SINTÉTICA "PÃO" LTDA', '2062', '49', '150000,50', '01', ''],
    ['SY0000AB', 'HOLDING SINTÉTICA; S.A.', '2054', '10', '1000000,00', '05', ''],
    ['1122233', 'CURTA DEMAIS', '2062', '49', '0,00', '01', ''],
  ]);

function establishment(root: string, branch: string, values: Readonly<Record<number, string>>): string[] {
  const fields = Array.from({ length: 30 }, () => '');
  [fields[0], fields[1], fields[2]] = [root, branch, '81'];
  for (const [place, value] of Object.entries(values)) fields[Number(place)] = value;
  return fields;
}

const where = { 13: 'RUA', 14: 'DAS FLORES SINTÉTICAS', 15: '10', 18: '01310100', 19: 'SP' };
const establishments = () =>
  publish('K3241.K03200Y0.D60613.ESTABELE', [
    establishment('11222333', '0001', {
      3: '1',
      5: '02',
      6: '20180503',
      10: '20150210',
      11: '4721102',
      ...where,
      21: '11',
      22: '5550001',
      23: '11',
      24: '55500010',
      27: 'X@SINTETICA.TEST',
    }),
    establishment('11222333', '0002', {
      3: '2',
      5: '08',
      6: '20200101',
      10: '20160301',
      11: '4721102',
      18: '01310200',
      14: 'DAS PEDRAS',
      15: '1',
    }),
    establishment('SY0000AB', '01DE', { 3: '1', 5: '02', 6: '20260715', 10: '20260715', 11: '6462000', ...where }),
    establishment('11222333', '0003', { 3: '2', 5: '02', 6: '20200101', 10: '00000000' }),
  ]);

const partner = (
  root: string,
  kind: string,
  name: string,
  document: string,
  qualification: string,
  since: string,
  rest: string[] = [],
) => [
  ...[
    root,
    kind,
    name,
    document,
    qualification,
    since,
    ...(rest.length > 0 ? rest : ['', '***000000**', '', '00', '5']),
  ],
];
const partners = () =>
  publish('K3241.K03200Y0.D60613.SOCIOCSV', [
    partner('11222333', '2', 'JOSÉ DA SILVA SINTÉTICO', '***123456**', '49', '20150210'),
    partner('SY0000AB', '2', 'JOSE  DA SILVA SINTETICO', '***123456**', '10', '20260715', [
      '',
      '***000000**',
      '',
      '00',
      '6',
    ]),
    partner('11222333', '2', 'JOSÉ DA SILVA SINTÉTICO', '***654321**', '22', '20170101'),
    partner('11222333', '1', 'HOLDING SINTÉTICA', 'SY0000AB01DE35', '22', '20260801', [
      '',
      '***111222**',
      'MARIA SINTÉTICA',
      '05',
      '0',
    ]),
    partner('11222333', '3', 'JOHN SYNTHETIC', '', '37', '20190101', ['249', '***000000**', '', '00', '0']),
    partner('11222333', '2', 'SEM DATA', '***123456**', '22', ''),
    ['11222333', '2', 'ROW CUT SHORT'],
  ]);

function factsOf({ facts, relations, entities }: FactStore): string[] {
  const name = (entity: number) => entities.entryOf(entity + 1)!.identifier;
  const day = (time: number) => (Number.isFinite(time) ? new Date(time / 1000).toISOString().slice(0, 10) : '…');
  return Array.from(facts.subject, (subject, i) => {
    const ends = `${name(subject)} ${relations[facts.relation[i]].name} ${name(facts.object[i])}`;
    return `${ends} ${day(facts.from[i])} ${day(facts.to[i])}`;
  }).sort();
}

test('the published layout becomes companies, people, assets and what they are to each other', async () => {
  const { store, report } = await importRegister([partners(), establishments(), companies()], { isSynthetic: true });
  expect(factsOf(store)).toEqual(
    [
      '***111222**|MARIA SINTETICA represents 11222333 2026-08-01 …',
      '***123456**|JOSE DA SILVA SINTETICO directs 11222333 2015-02-10 …',
      '***123456**|JOSE DA SILVA SINTETICO directs SY0000AB 2026-07-15 …',
      '***123456**|JOSE DA SILVA SINTETICO owns 11222333 2015-02-10 …',
      '***654321**|JOSE DA SILVA SINTETICO owns 11222333 2017-01-01 …',
      '11222333 has_email email x@sintetica.test 2015-02-10 …',
      '11222333 has_phone phone 115550001 2015-02-10 …',
      '11222333 has_phone phone 1155500010 2015-02-10 …',
      '11222333 has_situation situation 02 2018-05-03 …',
      '11222333 located_at address 01310100 DAS FLORES SINTETICAS 10 2015-02-10 …',
      '11222333 located_at address 01310200 DAS PEDRAS 1 2016-03-01 2020-01-01',
      'SY0000AB has_situation situation 02 2026-07-15 …',
      'SY0000AB located_at address 01310100 DAS FLORES SINTETICAS 10 2026-07-15 …',
      'SY0000AB owns 11222333 2026-08-01 …',
      'foreign 249 JOHN SYNTHETIC owns 11222333 2019-01-01 …',
    ].sort(),
  );
  expect(store.isSynthetic).toBe(true);
  const row = store.nodes.entity.indexOf(entityOf(store, '11222333', 'company'));
  const told = Object.fromEntries(
    store.nodes.attributes.map((each) => [
      each.name,
      each.kind === 'text' ? each.dictionary[each.codes[row]] : each.values[row],
    ]),
  );
  expect(told).toMatchObject({
    legal_nature: '2062',
    size: '01',
    capital: 150000.5,
    activity: '47',
    state: 'SP',
    founded: Date.parse('2015-02-10') * 1000,
  });
  expect(
    report.rejects.map(({ file, row, reason }) => `${file.slice(-8)} ${row} ${reason.slice(0, 30)}`).sort(),
  ).toEqual([
    'EMPRECSV 3 1122233 is no CNPJ: expected e',
    'ESTABELE 4 the day of opening is no day, ',
    'SOCIOCSV 6 the day of entry is no day, wr',
    'SOCIOCSV 7 expected 11 fields, found 3',
  ]);
});

test('what a release tells is not known before its day', async () => {
  const publishedAt = Date.parse('2026-09-01') * 1000;
  const { store } = await importRegister([companies(), partners()], { publishedAt });
  expect(new Set(store.facts.known)).toEqual(new Set([publishedAt]));
  expect(new Set(store.nodes.known)).toEqual(new Set([publishedAt]));
});

test('a person is matched only when digits and name agree, with less confidence where several share them', async () => {
  const { store } = await importRegister([partners()]);
  const out = join(folder, 'store');
  await writeStore(out, store);
  const match = openPersonMatcher(await openStore(out));
  const shared = match('999.123.456-00', 'josé da Silva sintético')!;
  // Two age bands with the same digits and name are two people; one namesake has other digits.
  expect(shared).toMatchObject({ entity: entityOf(store, '***123456**|JOSE DA SILVA SINTETICO') });
  expect(shared.confidence).toBeCloseTo(1 / (2 + 1e-6), 12);
  expect(match('99965432100', 'JOSE DA SILVA SINTETICO')!.confidence).toBeCloseTo(1 / (1 + 1e-6), 12);
  expect(match('99911122200', 'MARIA SINTETICA')!.confidence).toBe(1);
  expect(match('99912345600', 'MARIA SINTETICA'), 'the digits of another').toBeNull();
  expect(match('123456', 'MARIA SINTETICA')).toBeNull();
});

test('a file that is none of the three is refused', async () => {
  await expect(importRegister([publish('x', [['a', 'b']])])).rejects.toThrow(/has 2 fields; Empresas have 7/);
  await expect(importRegister([publish('empty', [])])).rejects.toThrow(/is empty/);
});

test('names and numbers are compared by what they say', () => {
  expect(normalizeName("  João d'Ávila-Souza ")).toBe('JOAO D AVILA SOUZA');
  expect(visibleDigitsOf('529.982.247-25')).toBe('982247');
  expect(visibleDigitsOf('5299822472')).toBeNull();
  expect(companyRootOf('12.abc.345/01DE-35')).toBe('12ABC345');
  expect(companyRootOf('11222333')).toBe('11222333');
  expect(companyRootOf('112223330001')).toBeNull();
});
