/** What is wrong with a question, in Portuguese. */
import { expect, test } from 'vitest';
import type { Failure } from '../../server/src/lib/failure.ts';
import type { EvaluationRefusal } from '../../server/src/ml/evaluation/refusals.ts';
import type { Mistake } from '../../server/src/ml/tasks/mistakes.ts';
import { parseTask } from '../../server/src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../server/src/ml/tasks/resolve.ts';
import type { FileProblem } from '../../server/src/resources/batches/file-problems.ts';
import { sampleContract } from '../../server/tests/samples.ts';
import { evaluationRefusalsInPortuguese } from '../src/words/evaluation-refusals.ts';
import { fileProblemsInPortuguese } from '../src/words/file-problems.ts';
import { mistakesInPortuguese, sayMistake as sayMistakeInPortuguese } from '../src/words/mistakes.ts';

/** Questions that are wrong, each in another way. */
const wrongQuestions = [
  'PREDICT exists(loan) WITHIN 30d',
  'PREDICT exists(loan) FOR customer',
  'PREDICT exits(loan) WITHIN 30d FOR customer',
  'PREDICT exists(table) WITHIN 30d FOR customer EVERY 30d UNTIL 2020-01-01 FROM 2021-01-01',
  'PREDICT exists(for) WITHIN 30d FOR customer',
  'PREDICT exists(loan WHERE amount >) WITHIN 30d FOR customer',
  'PREDICT exists(loan WHERE amount > ) WITHIN',
  'PREDICT exists(loan WHERE name = "a") WITHIN 30d FOR customer',
  "PREDICT exists(loan WHERE name = 'a) WITHIN 30d FOR customer",
  'PREDICT exists(loan) WITHIN 30d FOR customer UNTIL 31/12/2024',
  'PREDICT exists(loan) WITHIN 30d WITHIN 60d FOR customer',
  'PREDICT exists(loan) WITHIN 30d, 30d FOR customer',
  `PREDICT exists(loan) WITHIN ${Array.from({ length: 40 }, (_, at) => `${at + 1}d`).join(', ')} FOR customer`,
  'PREDICT exists(loan) WITHIN 2 months FOR customer',
  'PREDICT exists(loan) WITHIN 30d FOR customer EVERY 30d ONCE',
  'PREDICT exists(loan) WITHIN 30d FOR customer EVRY 30d',
  'PREDICT exists(loan) WITHIN 30d FOR customer VIA a VIA b',
  'PREDICT sum(loan.amount) WITHIN 30d FOR customer AS binary',
  'PREDICT exists(loan WHERE Data do pagamento > 2024-01-31) WITHIN 30d FOR customer',
];

test('every mistake in a question has words in Portuguese, with its place', () => {
  // The compiler refuses a code that one of the two lacks.
  const words: Readonly<Record<Mistake['code'], unknown>> = mistakesInPortuguese;
  const of: Readonly<Record<Exclude<keyof typeof mistakesInPortuguese, Mistake['code']>, never>> = {};
  expect([Object.keys(of), Object.keys(words).length > 20]).toEqual([[], true]);
  const said = wrongQuestions.flatMap((query) => {
    try {
      parseTask(query, 'task', 'definition', ['Data do pagamento']);
      return [`${query} is read`];
    } catch (error) {
      return (error as Failure).problems.map(({ at, message, because }) =>
        sayMistakeInPortuguese(`${at}: ${message}`, because),
      );
    }
  });
  expect(said).toMatchInlineSnapshot(`
    [
      "linha 1, coluna 32: falta FOR e a tabela para a qual se prevê, como FOR clientes",
      "linha 1, coluna 34: falta WITHIN e os dias à frente, como WITHIN 30d",
      "linha 1, coluna 9: esperava exists, NOT exists, count, sum, first, next ou delinquency, e encontrou exits; quis dizer exists?",
      "linha 1, coluna 74: UNTIL fica antes de FROM",
      "linha 1, coluna 16: esperava uma tabela, e encontrou for; um nome escrito assim fica entre aspas duplas",
      "linha 1, coluna 35: esperava um número, um texto entre aspas simples, um dia como 2024-01-31, true ou false, e encontrou “)”",
      "linha 1, coluna 36: esperava um número, um texto entre aspas simples, um dia como 2024-01-31, true ou false, e encontrou “)”",
      "linha 1, coluna 34: esperava um valor; um texto fica entre aspas simples: 'a'",
      "linha 1, coluna 34: falta fechar '",
      "linha 1, coluna 52: não dá para ler 31/12/2024: esperava um número, um dia como 2024-01-31 ou dias como 90d",
      "linha 1, coluna 33: WITHIN aparece duas vezes",
      "linha 1, coluna 29: o horizonte 30d aparece duas vezes",
      "linha 1, coluna 29: 40 horizontes; no máximo 20",
      "linha 1, coluna 29: esperava os dias à frente, como 30d, e encontrou 2 months: meses e anos variam de duração; quis dizer 60d?",
      "linha 1, coluna 56: EVERY e ONCE não vão juntos",
      "linha 1, coluna 46: esperava WITHIN, FOR, VIA, EVERY, ONCE, FROM, UNTIL, AS ou o fim, e encontrou EVRY; quis dizer EVERY?",
      "linha 1, coluna 52: VIA aparece duas vezes",
      "linha 1, coluna 50: o que se prevê dá uma tarefa do tipo regression, e não binary; compare o valor, como em count(…) > 0",
      "linha 1, coluna 32: um nome com mais de uma palavra fica entre aspas duplas; quis dizer "Data do pagamento"?",
    ]
  `);
});

test('what a question names that the contract has not is said in Portuguese', () => {
  const contract = sampleContract([
    { name: 'customer', key: 'customer_id', columns: { customer_id: 'string', name: 'string' } },
    {
      ...{
        name: 'loan',
        key: 'loan_id',
        time: 'granted',
        references: { customer_id: 'customer', guarantor: 'customer' },
      },
      columns: {
        ...{ loan_id: 'string', customer_id: 'string', guarantor: 'string', granted: 'date', amount: 'number' },
        state: { type: 'string', enum: ['open', 'paid'] },
      },
    },
  ]);
  const said = [
    'exists(loan) WITHIN 30d FOR customers',
    'exists(loans) WITHIN 30d FOR customer',
    'exists(loan WHERE amuont > 1) WITHIN 30d FOR loan',
    'sum(loan.guarantor) WITHIN 30d FOR customer',
    'next(loan.granted) WITHIN 30d FOR customer',
    'exists(customer) WITHIN 30d FOR customer',
    "exists(loan VIA customer_id WHERE amount > 'a') WITHIN 30d FOR customer",
    "exists(loan VIA customer_id WHERE state = 'closed') WITHIN 30d FOR customer",
    'exists(loan) WITHIN 30d FOR customer',
    'exists(loan VIA gurantor) WITHIN 30d FOR customer',
    'exists(loan WHERE NOT EXISTS) WITHIN 30d FOR customer',
  ].map((query) => {
    try {
      resolveTask(parseTask(`PREDICT ${query}`, 'task', 'definition'), contract, 'definition');
      return `${query} is right`;
    } catch (error) {
      const { message, because } = error as Failure;
      return sayMistakeInPortuguese(message, because);
    }
  });
  expect(said.slice(0, -1)).toMatchInlineSnapshot(`
    [
      "customers não é uma tabela do contrato (customer, loan); quis dizer customer?",
      "a tabela loans não está no contrato, que tem customer, loan; quis dizer loan?",
      "amuont não é uma coluna de loan, que tem loan_id, customer_id, guarantor, granted, amount, state; quis dizer amount?",
      "loan.guarantor não é um número, e sim texto",
      "next pede uma categoria, e loan.granted é uma data",
      "a tabela customer não tem a data do evento no contrato: ela não tem nenhuma coluna de datas; uma de textos não é: dê-lhe o tipo date ou timestamp, e a sua forma",
      "where compara loan.amount com "a"; a coluna pede um número",
      "where compara loan.state com "closed"; o contrato permite open, paid",
      "há 2 caminhos de loan a customer; escolha um com VIA customer_id ou VIA guarantor",
      "gurantor não é uma referência de loan, que tem customer_id, guarantor",
    ]
  `);
  const leakage = {
    code: 'leakage',
    task: 'credit',
    said: '',
    what: 'Situação',
    measure: 'auroc',
    strength: 1,
  } as const;
  const names = ['loan.state', 'customer.grade'];
  const remedies = { hide: names, ignore: [], outcome: ['loan.state'], trust: names };
  expect(sayMistakeInPortuguese('', { ...leakage, names, more: 0, remedies })).toMatch(
    /^loan\.state, customer\.grade revelam o rótulo com certeza: nada foi aprendido\. “Situação”: AUROC 1,000\. .*\(hide: \[loan\.state, customer\.grade\] na tarefa\).*\(outcome: \[state\]\)/,
  );
  // What has no code is left to the service.
  expect(said.at(-1)).toBe(null);
});

test('every reason for which a labelled file cannot be evaluated has words in Portuguese', () => {
  const words: Readonly<Record<EvaluationRefusal['code'], unknown>> = evaluationRefusalsInPortuguese;
  const of: Readonly<Record<Exclude<keyof typeof evaluationRefusalsInPortuguese, EvaluationRefusal['code']>, never>> =
    {};
  expect([Object.keys(of), Object.keys(words).length]).toEqual([[], 8]);
  const because = { code: 'not_of_type', type: 'date', examples: [], found: null };
  const file = { file: 'a.csv', rows: 3, row: 1, column: 'day', message: 'expected a date' };
  expect(sayMistakeInPortuguese('', { code: 'labelled_unreadable', ...file, because })).toMatch(
    /^a\.csv: nenhuma das 3 linhas pôde ser lida; linha 1, coluna day: esperava uma data/,
  );
});

test('every reason for which no batch is made of a file has words in Portuguese', () => {
  const words: Readonly<Record<FileProblem['code'], unknown>> = fileProblemsInPortuguese;
  const of: Readonly<Record<Exclude<keyof typeof fileProblemsInPortuguese, FileProblem['code']>, never>> = {};
  expect([Object.keys(of), Object.keys(words).length]).toEqual([[], 11]);
  const because = {
    code: 'endpoints_unknown',
    file: 'a.csv',
    column: 'endpoint',
    endpoints: ['credit/production'],
    more: 2,
  };
  expect(sayMistakeInPortuguese('', because)).toBe(
    'nenhuma linha de a.csv tem um endpoint que exista: credit/production e mais 2',
  );
});
