import { expect, test } from 'vitest';
import { outputFields } from '../../../server/src/ml/answers/answers.ts';
import { fitCohort } from '../../../server/src/ml/calibration/cohort.ts';
import { type EvaluationNotice, sayNotice as sayEvaluationNotice } from '../../../server/src/ml/evaluation/notices.ts';
import { openGraph } from '../../../server/src/ml/features/graph.ts';
import { proposeFeatures } from '../../../server/src/ml/features/proposals/propose-features.ts';
import { type Recipe, recipesFor } from '../../../server/src/ml/heads/recipes.ts';
import { kinds } from '../../../server/src/ml/kinds/kinds.ts';
import type { Objective } from '../../../server/src/ml/statistics/objective.ts';
import { describeTarget } from '../../../server/src/ml/tasks/describe.ts';
import { outputsOfTarget } from '../../../server/src/ml/tasks/labels.ts';
import { parseTask } from '../../../server/src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../../server/src/ml/tasks/resolve.ts';
import { hideSaid } from '../../../server/src/ml/training/served-names.ts';
import type { WarningReason } from '../../../server/src/ml/training/warning.ts';
import { vectorFields } from '../../../server/src/ml/version/given-vectors.ts';
import { inputFields } from '../../../server/src/ml/version/schema.ts';
import { at, sampleContract, sampleTables } from '../../../server/tests/samples.ts';
import { sellerContract, sellerData } from '../../../server/tests/support/samples/answers.ts';
import { evaluationWarningsInPortuguese, sayEvaluationWarning } from '../../src/evaluations/warning-words.ts';
import { sayField } from '../../src/models/field-words.ts';
import { sayNote } from '../../src/models/note-words.ts';
import { sayRecipe } from '../../src/models/recipe-words.ts';
import { sayWarning, warningsInPortuguese } from '../../src/models/warning-words.ts';

import { namedIn } from './named-in.ts';

test('of an evaluation it is said what is few: the rows, or those of the rarer label, in both languages alike', () => {
  const integer = (value: number) => value.toLocaleString('pt-BR');
  const day = String;
  const both = (rows: number, positives: number | null) => {
    const notice = { code: 'few_rows', output: 'late', rows, positives } as const;
    return [sayEvaluationNotice(notice), sayEvaluationWarning(notice, { integer, day })];
  };
  expect(both(3_849, 7)).toEqual([
    'late: only 7 of 3,849 rows are positive, too few to say much',
    'late: só 7 de 3.849 linhas são positivas, poucas para dizer muito',
  ]);
  expect(both(3_849, 3_848)).toEqual([
    'late: only 1 of 3,849 rows are negative, too few to say much',
    'late: só 1 de 3.849 linhas são negativas, poucas para dizer muito',
  ]);
  expect(both(84, 7)[0]).toBe('late: 84 rows with 7 positives are too few to say much');
  expect(both(84, null)[1]).toBe('late: 84 linhas são poucas para dizer muito');
});

test('every warning of a training, and what lessens an evaluation, has words in Portuguese', () => {
  const [n, day] = [(value: number) => value.toLocaleString('pt-BR'), (value: unknown) => String(value)];
  const format = { language: 'pt-BR', integer: n, number: n, thousandths: n, signed: n, day } as const;
  // The compiler refuses a code that one of the two lacks.
  const reasons: { readonly [Code in WarningReason['code']]: Omit<Extract<WarningReason, { code: Code }>, 'code'> } = {
    other_time: { table: '[table]', column: '[column]', dated: '[dated]' },
    no_window: { table: '[table]', entity: '[entity]' },
    undated_events: { tables: ['[table]', '[other]'], entity: '[entity]' },
    wrong_on_average: { output: '[output]', rows: 7, said: 0.2, came: 0.1, error: 0.1, limit: 0.02, z: -7 },
    wrong_in_part: {
      ...{ output: '[output]', rows: 70, low: 0.4, high: 0.6, part: 7 },
      ...{ said: 0.5, came: 0.4, error: 0.1, limit: 0.02, z: 4 },
    },
    few_to_check: { output: '[output]', rows: 84, positives: 12, least: 100 },
    too_good: { output: '[output]', measure: 'AUROC', value: 0.997, rows: 7, best: 0.5, places: ['[at]'] },
    no_gain: {
      ...{ output: '[output]', metric: 'mae', value: 35, over: 'referred_mean', by: '[by]', of: 30 },
      ...{ gain: -7, low: -11, high: 1 },
    },
  };
  expect(Object.keys(warningsInPortuguese).sort()).toEqual(Object.keys(reasons).sort());
  for (const [code, values] of Object.entries(reasons)) {
    const said = sayWarning({ because: { code, ...values } }, format, {})!;
    for (const name of JSON.stringify(values).match(/\[[a-z]+\]/g)!) expect(said).toContain(name);
  }
  expect(sayWarning({ because: { code: 'no_gain', ...reasons.no_gain } }, format, { mae: 'Erro médio' })).toBe(
    '[output]: o valor de Erro médio, 35, não é seguramente pior que 30 da média dos rótulos anteriores por [by], por 7 (em 19 de 20 vezes entre -11 e 1)',
  );
  const notices: {
    readonly [Code in EvaluationNotice['code']]: Omit<Extract<EvaluationNotice, { code: Code }>, 'code'>;
  } = {
    day_form: { form: 'dd/MM/yyyy', guessed: true, rows: 2, iso: 70 },
    unknown_learning: {},
    learned_rows: { rows: 50, matched: 40, of: 70, newest: '2024-01-31', seen: null },
    open_rows: { output: '[output]', rows: 7 },
    none_measured: { output: '[output]' },
    few_rows: { output: '[output]', rows: 7, positives: 3 },
  };
  expect(Object.keys(evaluationWarningsInPortuguese).sort()).toEqual(Object.keys(notices).sort());
  for (const [code, values] of Object.entries(notices)) {
    const said = sayEvaluationWarning({ code, ...values }, format)!;
    expect({ code, named: namedIn(said) }).toEqual({
      code,
      named: namedIn(sayEvaluationNotice({ code, ...values } as EvaluationNotice)),
    });
  }
});

test('what the service says of inputs and outputs is said in Portuguese, for every kind of prediction', () => {
  const tables = sampleTables(sellerContract, sellerData());
  const english = new Set(vectorFields('enc_1').map(({ description }) => description));
  for (const { name, example } of kinds) {
    const task = resolveTask(parseTask(example, name, 'task.yaml'), sellerContract, 'task.yaml');
    const outputs = outputsOfTarget(task, tables, at('2025-01-01')).outputs.map((output) => ({
      ...output,
      cohort: fitCohort(Float64Array.of(1, 2, 3)),
    }));
    const inputs = [false, true].flatMap((isFresh) => inputFields(task, sellerContract, isFresh, [], []));
    for (const { description } of [...inputs, ...outputFields(task, outputs)]) english.add(description);
  }
  const questions = [
    'exists(purchase) WITHIN 30d',
    'count(purchase) WITHIN 12h',
    'sum(purchase.amount WHERE amount > 3) > 10 WITHIN 30d',
    'first(purchase) WITHIN 30d',
  ];
  for (const question of questions) {
    const text = `PREDICT ${question} FOR customer EVERY 60d FROM 2023-06-01 UNTIL 2024-06-01`;
    const { target } = parseTask(text, 'asked', 'task.yaml');
    english.add(`Probability of ${describeTarget(target!, 0)}.`);
  }
  const said = [...english].map((text) => sayField(text, 'pt-BR'));
  expect(said.filter((text, k) => text === [...english][k])).toEqual([]);
  expect(said.filter((text) => /\b(of|the|any|rows|within|days|number|Probability|Expected)\b/.test(text))).toEqual([]);
  expect(said).toMatchInlineSnapshot(`
    [
      "No lugar do que o codificador do próprio modelo (enc_1) faz da linha: 1024 números de norma 1, como lista ou como float32 (little-endian) em base64.",
      "O model_snapshot que veio com service__internal__customer_embedding: vetores de outro codificador dizem outra coisa e são recusados.",
      "Chave de customer.",
      "Prever como no fim deste dia.",
      "Chave da linha, se já tem uma; o seu próprio registro fica fora do seu histórico.",
      "Coluna created de customer. Data a linha: obrigatória se reference_date não é informada.",
      "Nada depois do fim deste dia é lido. A própria linha fica no seu tempo.",
      "Probabilidade de haver linhas de purchase em 10 dias.",
      "Probabilidade de haver linhas de purchase em 30 dias.",
      "O que mais moveu a resposta: uma lista de frases, a mais forte primeiro. Em arquivos a lista é um texto JSON.",
      "Entradas: se foram informadas, e se quem elas citam estava nos dados, com eventos (full). Não diz quanto histórico há.",
      "Histórico: a parte da importância do modelo que vem do que tem valor para esta linha, de 0 a 1.",
      "O momento para o qual a previsão é feita.",
      "Esperado: soma de purchase.amount em 60 dias.",
      "A classe mais provável.",
      "Probabilidade de 1.",
      "Probabilidade de 2.",
      "Probabilidade de 3.",
      "Probabilidade de 4.",
      "Probabilidade de 5.",
      "Probabilidade de 6.",
      "Probabilidade de 7.",
      "Probabilidade de 8.",
      "Probabilidade de 9.",
      "Mais alto quer dizer menos risco.",
      "Probabilidade de inadimplência em 30 dias.",
      "Probabilidade de inadimplência em 60 dias.",
      "Faixa do score, a mais segura primeiro: Exceptional a partir de 900, Low Risk a partir de 800, Moderate Risk a partir de 700, Medium Risk a partir de 600, High Risk a partir de 400, Very High Risk a partir de 0.",
      "Probabilidade de fraude.",
      "Ligações, por no máximo três linhas em comum, a fraudadores conhecidos, e grupos suspeitos. Em arquivos a lista é um texto JSON.",
      "Probabilidade de que o lead converta.",
      "Decil do valor esperado entre os casos do treinamento; 10 é o mais alto.",
      "Menor e maior valor esperado do decil, em BRL.",
      "Probabilidade de que o prospect compre.",
      "O que a janela à frente será mais provavelmente em relação à anterior.",
      "Caminhos de contato: linhas em comum com clientes existentes, um por linha e cliente.",
      "Valor esperado do cliente (lifetime value), em BRL.",
      "Terços dos casos do treinamento por valor esperado e por score: quem tratar do mesmo modo.",
      "Probabilidade de que o cliente saia.",
      "Probabilidade de número de linhas de purchase em 12 horas.",
      "Probabilidade de soma de purchase.amount em 30 dias ser > 10.",
      "Probabilidade de dias até a primeira das linhas de purchase, no máximo 30d.",
    ]
  `);
  // What a contract says stands as it does there.
  expect(sayField('The bank of the customer.', 'pt-BR')).toBe('The bank of the customer.');
});

test('every recipe of a model is said in both languages', () => {
  const objectives: readonly Objective[] = [
    { kind: 'binary', metric: 'auroc', classes: [] },
    { kind: 'multiclass', metric: 'accuracy', classes: ['a', 'b', 'c'] },
    { kind: 'regression', metric: 'mae', classes: [] },
    { kind: 'regression', metric: 'r2', classes: [] },
  ];
  const graph = { from: 9, columns: 4 };
  const recipes: Recipe[] = [];
  for (const objective of objectives)
    for (const [rows, examples] of [
      [500, 500],
      [30_000, 15_000],
      [90_000, 90_000],
    ])
      for (const whole of [true, false])
        for (const labels of [null, 50, 400, 90_000]) {
          const embedding = labels === null ? null : { from: 5, columns: 4, forecasts: 1, labels };
          for (const vectors of [null, graph])
            recipes.push(...recipesFor(objective, rows, examples, { tailed: true, whole }, embedding, vectors));
        }
  const columns = { from: 9, columns: 2 };
  recipes.push(...recipesFor(objectives[0], 500, 500, { tailed: true, whole: true }, null, null, columns));
  const names = new Set(recipes.map(({ name }) => name));
  expect([...names]).toContain('blend and categories');
  expect(names.size).toBeGreaterThan(15);
  const tried = ['newest 50%', 'newest 12.5%', 'every second row', 'with earlier labels', 'without earlier labels'];
  for (const name of [...names, ...tried.map((how) => `blend and graph, ${how}`)])
    for (const language of ['en', 'pt-BR'] as const)
      expect([name, sayRecipe(name, language)]).toEqual([name, expect.any(String)]);
  expect(sayRecipe('blend among graph, newest 50%', 'pt-BR')).toBe(
    'a média de árvores e modelos lineares, com vetores do grafo entre os atributos, com os 50 % mais novos das linhas',
  );
});

test('notes of a training are said in Portuguese', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_010 }, (_, at) => [`n${at}`, 'number' as const]));
  const columns = { id: 'integer', y: 'number', endpoint: 'number', ...wide } as const;
  const contract = sampleContract([{ name: 'client', key: 'id', columns }]);
  const client = Array.from({ length: 20 }, (_, id) => ({
    ...{ id, y: id % 2, endpoint: id },
    ...Object.fromEntries(Object.keys(wide).map((name, at) => [name, (id * (at + 1)) % 17])),
  }));
  const text = 'entity: client\nkey: id\nlabel: y\nkind: binary\noutcome: [y]\n';
  const task = resolveTask(parseTask(text, 'pays', 'task.yaml'), contract, 'task.yaml');
  const tables = sampleTables(contract, { client });
  const rows = Int32Array.from(client.keys());
  const moment = new Float64Array(rows.length).fill(at('2024-01-01'));
  const sample = { table: tables.get('client')!, fresh: true, rows, own: rows.map(() => -1) };
  const anchors = { ...sample, ownTable: 'client', at: moment, readableUntil: moment };
  const { notes } = proposeFeatures(openGraph(tables), task, anchors, at('2024-01-01'));
  const format = { language: 'pt-BR', integer: (value: number) => value.toLocaleString('pt-BR') } as const;
  const all = [...notes, ...hideSaid(task, contract, true).notes];
  expect(all.map((note) => sayNote(note, format))).toMatchInlineSnapshot(`
    [
      "a tabela client não tem tempo: suas linhas são lidas como conhecidas em qualquer momento",
      "client.y é um desfecho: lê-se o de outras linhas, nunca o da linha perguntada",
      "nada diz quando os rótulos passaram a ser conhecidos: o que aconteceu com linhas anteriores não é lido (window ou known, na tarefa, o diz)",
      "15 de 5.015 atributos propostos ficaram de fora, onde as colunas são muitas",
      "client.endpoint não é lida: nas linhas a prever, endpoint diz outra coisa; mude o nome da coluna para que seja lida",
    ]
  `);
});
