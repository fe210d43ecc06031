import { expect, test } from 'vitest';
import { lendingContract, lendingQueries } from '../../../tests/lending.ts';
import type { Contract } from '../contract/contract.ts';
import { kinds } from '../kinds/kinds.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { sayQuestion } from './say-question.ts';
import type { Language } from './wording.ts';

const called = new Map([
  ['customer', 'clientes'],
  ['order', 'pedidos'],
  ['instalment', 'parcelas'],
]);
const portugueseContract: Contract = {
  ...lendingContract,
  tables: lendingContract.tables.map((table) => {
    const businessName = called.get(table.name);
    return businessName === undefined ? table : { ...table, businessName };
  }),
};

function ask(definition: string, language: Language, contract = lendingContract) {
  return sayQuestion(
    resolveTask(parseTask(definition, 'task', 'definition'), contract, 'definition'),
    contract,
    language,
  );
}
const say = (definition: string, language: Language) =>
  ask(definition, language, language === 'en' ? lendingContract : portugueseContract).sentence;

test.each([
  [
    lendingQueries.buys,
    'For each customer: the chance, in the next 10 and 30 days, of at least one order with amount above 30 and goods either bread or fuel; one number for each span.',
    'Para cada cliente: a chance de haver, nos próximos 10 e 30 dias, ao menos um pedido com valor acima de 30 e goods igual a bread ou fuel; um número para cada prazo.',
  ],
  [
    lendingQueries.credit,
    'For each customer with at least one loan so far: the chance, in the next 30 and 90 days, of at least one instalment still unpaid 30 days after it was due; one number for each span. The score, 0 to 1,000, is made of the chance in the next 90 days: the smaller the chance, the higher the score.',
    'Para cada cliente com ao menos um empréstimo até então: a chance de haver, nos próximos 30 e 90 dias, ao menos uma parcela ainda sem pagamento 30 dias depois do vencimento; um número para cada prazo. O score, de 0 a 1.000, é feito da chance nos próximos 90 dias: quanto menor a chance, mais alto o score.',
  ],
  [
    lendingQueries.leaves,
    'For each customer: the chance of no order in the next 30 days.',
    'Para cada cliente: a chance de não haver nenhum pedido nos próximos 30 dias.',
  ],
  [
    lendingQueries.orders,
    'For each customer with segment equal to retail: how many orders there are in the next 30 and 60 days; one number for each span.',
    'Para cada cliente com segmento igual a retail: quantos pedidos haverá nos próximos 30 e 60 dias; um número para cada prazo.',
  ],
  [
    lendingQueries.spends,
    'For each customer: the total amount of orders in the next 30 days.',
    'Para cada cliente: o valor total dos pedidos nos próximos 30 dias.',
  ],
  [
    lendingQueries.waits,
    'For each customer: the days until the first order, or 60 days where none comes by then.',
    'Para cada cliente: quantos dias faltam até o primeiro pedido, ou 60 dias se não houver até lá.',
  ],
  [
    lendingQueries.next,
    'For each customer: the likeliest goods of the next order, if it comes in the next 60 days.',
    'Para cada cliente: o valor mais provável de goods no próximo pedido, caso venha nos próximos 60 dias.',
  ],
  [
    lendingQueries.late,
    'For each customer: the chance, in the next 60 days, of at least one instalment with days late above 30.',
    'Para cada cliente: a chance de haver, nos próximos 60 dias, ao menos uma parcela com dias de atraso acima de 30.',
  ],
  [
    lendingQueries.month,
    'For each loan, on the day it opens: the chance of some instalment at least 30 days overdue 3 months after the opening.',
    'Para cada empréstimo, no dia da abertura: a chance de haver alguma parcela com pelo menos 30 dias de atraso, 3 meses depois da abertura.',
  ],
  [
    lendingQueries.first,
    'For each loan, on the day it opens: the chance of its first instalment still unpaid 30 days after it was due.',
    'Para cada empréstimo, no dia da abertura: a chance de a primeira parcela ficar sem pagamento até 30 dias depois do vencimento.',
  ],
  [
    lendingQueries.lost,
    'For each loan, on the day it opens: the chance of a write-off (charged off) within 9 months of the opening.',
    'Para cada empréstimo, no dia da abertura: a chance de baixa como perda (charged off) em até 9 meses da abertura.',
  ],
  [
    'PREDICT delinquency(loan, charge_off 180 days) WITHIN 90d FOR customer',
    'For each customer: the chance that any loan turns delinquent in the next 90 days: some instalment 180 days overdue.',
    'Para cada cliente: a chance de algum empréstimo ficar inadimplente nos próximos 90 dias: alguma parcela com 180 dias de atraso.',
  ],
  [
    'PREDICT sum(order.amount WHERE placed >= 2021-03-01 OR goods IS NULL) >= 1000 WITHIN 30d FOR customer',
    'For each customer: the chance that the total amount, in the next 30 days, of orders with placed from 1 March 2021 or goods left blank is at least 1,000.',
    'Para cada cliente: a chance de o valor total, nos próximos 30 dias, dos pedidos com placed a partir de 1º de março de 2021 ou goods em branco ser de pelo menos 1.000.',
  ],
  [
    "PREDICT NOT exists(order WHERE goods NOT IN ('bread', 'tools')) WITHIN 1d FOR customer",
    'For each customer: the chance, in the next day, of no order with goods neither bread nor tools.',
    'Para cada cliente: a chance de não haver, no próximo dia, nenhum pedido com goods diferente de bread e de tools.',
  ],
  [
    'PREDICT count(order) >= 3 WITHIN 12h FOR customer WHERE exists(loan IN LAST 90d) AND NOT exists(order)',
    'For each customer with at least one loan in the last 90 days and no order so far: the chance of at least 3 orders in the next 12 hours.',
    'Para cada cliente com ao menos um empréstimo nos últimos 90 dias e nenhum pedido até então: a chance de haver ao menos 3 pedidos nas próximas 12 horas.',
  ],
  [
    'PREDICT exists(instalment) WITHIN 30d FOR loan ONCE',
    'For each loan, on its own day: the chance of at least one instalment in the next 30 days.',
    'Para cada empréstimo, no seu próprio dia: a chance de haver ao menos uma parcela nos próximos 30 dias.',
  ],
  [
    'entity: customer\nkey: customer_id\nlabel: returns\nkind: binary\nwindow: 30d',
    'For each customer: the chance of a yes in “returns” of the label files in the next 30 days.',
    'Para cada cliente: a chance de um sim em “returns” dos arquivos de rótulos nos próximos 30 dias.',
  ],
])('%s is said in both languages', (definition, english, portuguese) => {
  expect(say(definition, 'en')).toBe(english);
  expect(say(definition, 'pt-BR')).toBe(portuguese);
});

test('each number of an answer has its meaning, the score what it is made of', () => {
  expect(ask(lendingQueries.credit, 'en').outputs).toEqual([
    {
      name: 'score',
      meaning: 'made of the chance in the next 90 days: a chance of 1.9% is 800 points, 10% is 600, and 39% is 400',
    },
    {
      name: 'pd_30d',
      meaning: 'the chance, in the next 30 days, of at least one instalment still unpaid 30 days after it was due',
    },
    {
      name: 'pd_90d',
      meaning: 'the chance, in the next 90 days, of at least one instalment still unpaid 30 days after it was due',
    },
  ]);
  expect(ask(lendingQueries.next, 'en').outputs.map(({ name }) => name)).toEqual(['prediction']);
});

test('every kind of prediction is said by its own tables, with or without their contract', () => {
  for (const { name, example } of kinds)
    for (const language of ['en', 'pt-BR'] as const) {
      const task = parseTask(example, name, 'definition');
      const { sentence, outputs } = sayQuestion(task, { id: '', version: '', tables: [] }, language);
      expect(sentence).toMatch(language === 'en' ? /^For each customer\b.*\.$/ : /^Para cada cliente\b.*\.$/);
      expect(sentence).not.toMatch(/undefined|NaN| {2}|\(\)/);
      expect(outputs.length).toBeGreaterThan(0);
      for (const { meaning } of outputs) expect(meaning).not.toMatch(/undefined|NaN| {2}/);
    }
});
