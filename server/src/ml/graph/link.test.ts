import { expect, test } from 'vitest';
import { sampleContract, sampleRows } from '../../../tests/samples.ts';
import { type Notice, sayNotice } from '../contract/notices.ts';
import { linkTables } from './link.ts';

const contract = sampleContract([
  { name: 'client', key: 'client_id', columns: { client_id: 'string' } },
  {
    ...{ name: 'loan', key: 'loan_id', references: { referred_by: 'client' } },
    columns: { loan_id: 'string', referred_by: 'string' },
  },
]);

/** Links 100 loans, of which `known` were referred by one of the clients. */
function link(known: number) {
  const client = Array.from({ length: 100 }, (_, i) => ({ client_id: `C${i}` }));
  const loan = client.map((_, i) => ({ loan_id: `L${i}`, referred_by: i < known ? `C${i}` : `P${i}` }));
  const [clients, loans] = contract.tables;
  const rowsOf = new Map([
    ['client', sampleRows(clients, client)],
    ['loan', sampleRows(loans, loan)],
  ]);
  const warnings: Notice[] = [];
  return { tables: linkTables(contract, rowsOf, warnings), warnings };
}

test('of a reference to partners that are mostly elsewhere, what matches is read, and the rest is warned of', () => {
  const { tables, warnings } = link(30);
  expect(warnings.map(sayNotice)).toEqual(['table loan: 70 of 100 values of referred_by are not in client.client_id']);
  const { rows } = tables.get('loan')!.references.get('referred_by')!;
  expect([rows[0], rows[29], rows[30]]).toEqual([0, 29, -1]);
});

test('a reference of which next to nothing matches is taken for wrong', () => {
  expect(() => link(9)).toThrow(/only 9 of 100 values of referred_by are keys of client.client_id; check the types/);
});
