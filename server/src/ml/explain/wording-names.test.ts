import { describe, expect, it } from 'vitest';
import {
  all,
  contract,
  days90,
  instalments,
  invoices,
  last10,
  lastBuyer,
  of,
  recentBuyers,
  root,
} from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Contract } from '../contract/contract.ts';
import type { Signal } from '../events/signals.ts';
import type { Focus, Read } from '../features/feature.ts';
import { columnName, referenceNames, tableNames } from './names.ts';
import { describeFeature, type Language } from './wording.ts';

describe('names', () => {
  it('say in which events a neighbor was met, where its name leaves that open', () => {
    const [customers, sales, ...others] = contract.tables;
    const offers = { ...sales, name: 'offers', key: ['offer_id'] };
    const twice = { ...contract, tables: [customers, sales, offers, ...others] };
    const told = (focus: Focus, language: Language) =>
      describeFeature({ focus, read: { kind: 'attribute', column: 'monthly_income' } }, twice, language, {
        entity: 'dim_customers',
      });
    expect(told(lastBuyer, 'en')).toBe("monthly income of the latest invoice's buyer");
    expect(told(lastBuyer, 'pt-BR')).toBe('renda mensal do comprador da última fatura');
    expect(told(recentBuyers, 'en')).toBe('average monthly income of the buyers of recent invoices');
    expect(told(recentBuyers, 'pt-BR')).toBe('renda média mensal dos compradores das faturas recentes');
  });

  it('leave out the word that all tables begin with, and the table’s own name in its columns', () => {
    const named = (table: string, columns: readonly string[]): Contract['tables'][number] => ({
      ...{ name: table, key: [columns[0]], references: [{ column: 'shop_id', table: 'acme_shops', key: 'shop_id' }] },
      columns: columns.map((name) => ({ ...contract.tables[0].columns[1], name })),
    });
    const shops: Contract = {
      ...{ id: 'shops', version: '1' },
      tables: [
        named('acme_shops', ['shop_id']),
        named('acme_orders', ['order_id', 'shop_id', 'order_status', 'award', 'award_id', 'stamp_code']),
        named('acme_visits', ['visit_id', 'shop_id']),
      ],
    };
    const shareOf = (column: string) =>
      describeFeature(
        {
          focus: root,
          read: {
            ...{ kind: 'share', events: { table: 'acme_orders', via: ['shop_id'] }, value: 'new', span: all },
            signal: of(column),
          },
        },
        shops,
        'en',
        { entity: 'acme_shops' },
      );
    expect(['order_status', 'stamp_code', 'award', 'award_id'].map(shareOf)).toEqual(
      ['status', 'stamp', 'award', 'award id'].map((name) => `share of all orders where ${name} is new`),
    );
  });

  it('call what Portuguese has an article for by it, in singular and plural, and nothing else', () => {
    const latest = (businessName: string) => {
      const tables = contract.tables.map((table) =>
        table.name === 'instalments' ? { ...table, businessName } : table,
      );
      const read = (as: 'since' | 'count'): Read =>
        as === 'since'
          ? { kind: 'since', events: instalments, which: 'last' }
          : { kind: 'rate', events: instalments, span: last10 };
      return (['since', 'count'] as const).map((as) =>
        describeFeature({ focus: root, read: read(as) }, { ...contract, tables }, 'pt-BR', { entity: 'dim_customers' }),
      );
    };
    const told: [string, string, string][] = [
      ['cartões de crédito', 'o último cartão de crédito', 'nos últimos 10 cartões de crédito'],
      ['operações', 'a última operação', 'nas últimas 10 operações'],
      ['contas ativas', 'a última conta ativa', 'nas últimas 10 contas ativas'],
      ['dias', 'o último dia', 'nos últimos 10 dias'],
      ['valores', 'o último valor', 'nos últimos 10 valores'],
      ['canais', 'o último canal', 'nos últimos 10 canais'],
      ['constructor', 'o último constructor', 'nos últimos 10 constructor'],
      ['batting', 'o último registro de batting', 'nos últimos 10 registros de batting'],
    ];
    for (const [name, one, many] of told)
      expect(latest(name)).toEqual([`tempo desde ${one}`, `ritmo de registros ${many}`]);
  });

  it('call tables, columns and roles what the contract says that people call them', () => {
    const calling = (named: Readonly<Record<string, string>>): Contract => ({
      ...contract,
      tables: contract.tables.map((table) => ({
        ...table,
        ...(named[table.name] && { businessName: named[table.name] }),
        columns: table.columns.map((column) => {
          const businessName = named[`${table.name}.${column.name}`];
          return businessName === undefined ? column : { ...column, businessName };
        }),
      })),
    });
    const named = calling({
      instalments: 'parcelas',
      'instalments.days_late': 'dias de atraso',
      'invoices.buyer_id': 'sacado',
      'dim_customers.state': 'UF',
    });
    const late: Read = {
      kind: 'number',
      events: instalments,
      signal: of('days_late'),
      span: days90,
      aggregate: 'mean',
    };
    const told = (focus: Focus, read: Read) =>
      describeFeature({ focus, read }, named, 'pt-BR', { entity: 'dim_customers' });
    expect(told(root, late)).toBe('média de dias de atraso das parcelas nos últimos 90 dias');
    expect(told(root, { kind: 'attribute_is', column: 'state', value: 'SP' })).toBe('se UF é SP');
    expect(told(lastBuyer, { kind: 'age' })).toContain('sacado');
  });

  it('write codes as they are, and name what stands at either end', () => {
    expect(['X2B', 'G_ss', 'teamIDlahman45', 'daysLate', 'data_e_hora'].map(columnName)).toEqual([
      ...['X2B', 'G_ss', 'teamIDlahman45', 'days late', 'data e hora'],
    ]);
    expect(['totalprice', 'x_reason', 'award_id', 'id', 'account', 'update', 'tx_amt'].map(columnName)).toEqual([
      ...['total price', 'X reason', 'award', 'id', 'account', 'update', 'tx amount'],
    ]);
    expect(['trans', 'people', 'acme_loans'].map((name) => tableNames(name, 'acme'))).toEqual([
      { many: 'transactions', one: 'transaction' },
      { many: 'people', one: 'person' },
      { many: 'loans', one: 'loan' },
    ]);
    const late: Signal = { kind: 'column', path: [], column: 'status', word: 'late' };
    const spread: Read = { kind: 'number', events: invoices, signal: late, span: last10, aggregate: 'sd' };
    expect(describeFeature({ focus: root, read: spread }, contract, 'pt-BR', { entity: 'dim_customers' })).toBe(
      'variação da palavra “late” em status nas últimas 10 faturas (como cliente)',
    );
    const clients = { one: 'cliente', many: 'clientes' };
    expect(
      ['cpf_cliente', 'cpf_do_cliente', 'cpf', 'cpf_titular'].map((name) => referenceNames(name, clients)),
    ).toEqual([...[clients, clients, clients, { one: 'titular', many: 'titulars' }]]);
    const signal: Signal = { kind: 'rank', column: 'amount', within: 'loan', as: 'percentile' };
    const read: Read = { kind: 'number', events: instalments, signal, span: all, aggregate: 'mean' };
    expect(say(root, read, 1, 0.5, 'en')).toMatch(/: the highest \(usually 50%\)$/);
    expect(say(root, read, 0.001, 0.5, 'pt-BR')).toMatch(/: o menor valor \(em geral 50%\)$/);
  });
});
