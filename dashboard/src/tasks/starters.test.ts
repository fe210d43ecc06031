import { expect, test } from 'vitest';
import type { ContractTable } from '../data/contract.ts';
import { starterOf } from './starters.ts';

const column = (name: string, type: string, more: object = {}) => ({
  ...{ name, type, references: [], values: null, isKey: false, isPlanned: false, isMutable: false, isPersonal: false },
  ...more,
});
const to = (table: string) => ({ references: [{ table }] });
const table = (name: string, columns: object[], more: object = {}) =>
  ({ name, columns, eventTime: null, entityKind: null, ...more }) as unknown as ContractTable;

const customers = table('clientes', [column('id', 'string', { isKey: true })]);
const contracts = table(
  'contratos',
  [column('contrato', 'string', { isKey: true }), column('cliente', 'string', to('clientes'))],
  {
    eventTime: 'assinado',
  },
);
const payments = (...more: object[]) =>
  table('pagamentos', [column('contrato', 'string', to('contratos')), column('pago', 'date'), ...more], {
    eventTime: 'pago',
  });

test('a question of credit is about what was late, never about rows of which nothing says so', () => {
  const late = [customers, contracts, payments(column('dias_atraso', 'number'))];
  expect(starterOf('credit', late)).toBe(
    'PREDICT exists(pagamentos WHERE dias_atraso > 30) WITHIN 30d, 90d, 365d FOR clientes AS credit',
  );
  const due = [customers, contracts, payments(column('vence', 'date', { isPlanned: true }), column('baixa', 'date'))];
  expect(starterOf('credit', due)).toContain('exists(pagamentos OVERDUE 30d (vence, baixa))');
  expect(starterOf('credit', [customers, contracts, payments()])).toBe('PREDICT exists(contratos VIA cliente WHERE ');
});
