import { expect, test } from 'vitest';
import type { ContractTable } from '../data/contract.ts';
import { suggest } from './suggest.ts';

const offered = (text: string) => suggest(text, text.length, []).suggestions.map(({ text: one }) => one);

test('a condition on who is asked about may be of the last days, and what is foretold may be overdue', () => {
  expect(offered('PREDICT exists(instalment ')).toContain('OVERDUE');
  expect(offered('PREDICT exists(instalment ')).not.toContain('IN LAST');
  const condition = 'PREDICT exists(orders) WITHIN 30d FOR customers WHERE exists(orders ';
  expect(offered(condition)).toContain('IN LAST');
  expect(offered(condition)).not.toContain('OVERDUE');
  expect(offered(`${condition}IN LAST `)).toContain('90d');
});

test('a name that is no plain word is offered in double quotes, however it is begun', () => {
  const column = (name: string) => ({ name, references: [] });
  const tables = [
    { name: 'minhas parcelas', columns: [column('Valor pago'), column('valor')] },
  ] as unknown as readonly ContractTable[];
  const of = (text: string) => suggest(text, text.length, tables).suggestions.map(({ text: one }) => one);
  expect(of('PREDICT exists(')).toEqual(['"minhas parcelas"']);
  expect(of('PREDICT exists(min')).toEqual(['"minhas parcelas"']);
  expect(of('PREDICT exists(orders) WITHIN 30d FOR "minhas parcelas" WHERE val')).toEqual(['"Valor pago"', 'valor']);
});
