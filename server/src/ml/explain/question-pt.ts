import type { Comparison } from '../tasks/condition.ts';
import { articleOf, articleOfMany, isMany, ofThe, the, totalOf } from './grammar-pt.ts';
import {
  type AskedDelinquency,
  type AskedRows,
  isAny,
  isLong,
  isNone,
  type QuestionPhrases,
} from './question-phrases.ts';

export const portugueseQuestion: QuestionPhrases = {
  each: (one, having, on) =>
    `Para cada ${one}${having}${{ any_day: '', own_day: ', no seu próprio dia', opening: ', no dia da abertura' }[on]}`,
  within: (spans) => ` ${listOf(spans)}`,
  oneForEach: '; um número para cada prazo',
  chanceOfRows: (is, value, rows, within) =>
    isLong(rows)
      ? `a chance de ${isNone(is, value) ? 'não haver' : 'haver'},${within}, ${countOf(is, value, rows)}`
      : `a chance de ${isNone(is, value) ? 'não haver' : 'haver'} ${countOf(is, value, rows)}${within}`,
  chanceThat: (amount, is, value) => `a chance de ${amount} ser ${amountComparisons[is]} ${value}`,
  count: (rows, within) => `${howMany(rows)} haverá${within}`,
  total: (column, rows, within) =>
    isLong(rows) && within !== ''
      ? `${the(totalOf(column))},${within}, ${ofMany(rows)}`
      : `${the(totalOf(column))} ${ofMany(rows)}${within}`,
  first: (rows, days) => `quantos dias faltam até ${place('primeir', rows)}, ou ${days} se não houver até lá`,
  next: (column, rows, within) => `o valor mais provável de ${column} n${place('próxim', rows)}, caso venha${within}`,
  growth: (amount, days) =>
    `se ${amount} cresce, fica estável ou cai nos próximos ${days}, em relação aos ${days} anteriores`,
  label: (kind, name, within) =>
    kind === 'binary'
      ? `a chance de um sim em “${name}” dos arquivos de rótulos${within}`
      : `o valor ${kind === 'multiclass' ? 'mais provável' : 'esperado'} de “${name}” dos arquivos de rótulos${within}`,
  delinquency: (how, loan, within) =>
    loan === null && within === ''
      ? sayOfItself(how)
      : `a chance de ${loan === null ? '' : `${oneOfThem(loan)} `}ficar inadimplente${within}: ${sayHow(how)}`,
  scoreMade: (days) =>
    `O score, de 0 a 1.000, é feito da chance nos próximos ${days}: quanto menor a chance, mais alto o score`,
  score: (days) => `feito da chance nos próximos ${days}: uma chance de 1,9% são 800 pontos; de 10%, 600; de 39%, 400`,

  overdue: (days) =>
    days === 0
      ? ' sem pagamento no vencimento'
      : ` ainda sem pagamento ${portugueseQuestion.days(days)} depois do vencimento`,
  having: (condition) => ` com ${condition}`,
  compare: (column, is, { text, isMoment }) => `${column} ${(isMoment ? momentComparisons : comparisons)[is]} ${text}`,
  oneOf: (column, values, isNot) =>
    isNot ? `${column} diferente de ${join(values, 'e de')}` : `${column} igual a ${join(values, 'ou')}`,
  missing: (column, isNot) => `${column} ${isNot ? 'com valor' : 'em branco'}`,
  past: (rows, is, value, days) =>
    `${countOf(is, value, rows)} ${days === undefined ? 'até então' : listOf([days]).replace(/próxim([oa]s?)/, 'últim$1')}`,
  not: (condition) => `não (${condition})`,
  and: (conditions) => join(conditions, 'e'),
  or: (conditions) => join(conditions, 'ou'),
  days: (days) => {
    const hours = Math.round(days * 24);
    const [count, unit] = Number.isInteger(days) || hours / 24 !== days ? [days, 'dia'] : [hours, 'hora'];
    return `${String(count).replace('.', ',')} ${unit}${count === 1 ? '' : 's'}`;
  },
};

const comparisons: Readonly<Record<Comparison, string>> = {
  '=': 'igual a',
  '!=': 'diferente de',
  '>': 'acima de',
  '>=': 'a partir de',
  '<': 'abaixo de',
  '<=': 'até',
};

const amountComparisons: Readonly<Record<Comparison, string>> = {
  ...comparisons,
  '>': 'de mais de',
  '>=': 'de pelo menos',
  '<': 'de menos de',
  '<=': 'de no máximo',
};

const momentComparisons: Readonly<Record<Comparison, string>> = {
  '=': 'em',
  '!=': 'diferente de',
  '>': 'depois de',
  '>=': 'a partir de',
  '<': 'antes de',
  '<=': 'até',
};

function role({ role }: AskedRows): string {
  return role ? ` (${role.kind === 'as' ? `como ${role.name}` : `por meio ${ofThe(role.name)}`})` : '';
}

function many(rows: AskedRows): string {
  return `${rows.many}${role(rows)}${rows.having}`;
}

/** `quantas parcelas`, `quantos registros de orders`. */
function howMany(rows: AskedRows): string {
  const article = articleOfMany(rows.many);
  return article === '' ? `quantos registros de ${many(rows)}` : `quant${article} ${many(rows)}`;
}

/** `dos pedidos`, `dos registros de orders`. */
function ofMany(rows: AskedRows): string {
  const article = articleOfMany(rows.many);
  return article === '' ? `dos registros de ${many(rows)}` : ofThe(many(rows), article);
}

/** One row with what agrees with it: `um` pedido, `uma` parcela, `um registro de` orders. */
function agreeing(masculine: string, feminine: string, rows: AskedRows): string {
  const article = articleOf(rows.one);
  const rest = `${role(rows)}${rows.having}`;
  return article === '' || isMany(article)
    ? `${masculine} registro de ${rows.many}${rest}`
    : `${article === 'a' ? feminine : masculine} ${rows.one}${rest}`;
}

function oneOfThem(rows: AskedRows): string {
  return agreeing('algum', 'alguma', rows);
}

/** `o primeiro pedido`, `a próxima parcela`. */
function place(which: 'primeir' | 'próxim', rows: AskedRows): string {
  return agreeing(`o ${which}o`, `a ${which}a`, rows);
}

function countOf(is: Comparison, value: number, rows: AskedRows): string {
  if (isAny(is, value)) return `ao menos ${agreeing('um', 'uma', rows)}`;
  if (isNone(is, value)) return agreeing('nenhum', 'nenhuma', rows);
  const how = {
    '=': 'exatamente',
    '!=': 'um número diferente de',
    '>': 'mais de',
    '>=': 'ao menos',
    '<': 'menos de',
    '<=': 'no máximo',
  };
  const named = articleOfMany(rows.many) === '' ? `registros de ${many(rows)}` : many(rows);
  return value === 1 && is !== '!=' ? `${how[is]} ${agreeing('um', 'uma', rows)}` : `${how[is]} ${value} ${named}`;
}

/** What a loan that is asked about once may come to. */
function sayOfItself(how: AskedDelinquency): string {
  if (how.kind === 'first_payment_default')
    return `a chance de ${place('primeir', how.due)} ficar sem pagamento até ${portugueseQuestion.days(how.days)} depois do vencimento`;
  return `a chance de ${how.kind === 'charge_off' && 'column' in how.by ? '' : 'haver '}${sayHow(how)}`;
}

function sayHow(how: AskedDelinquency): string {
  const { days: lasting } = portugueseQuestion;
  switch (how.kind) {
    case 'first_payment_default':
      return `${place('primeir', how.due)} ainda sem pagamento ${lasting(how.days)} depois do vencimento`;
    case 'days_past_due':
      return `${oneOfThem(how.due)} com pelo menos ${lasting(how.days)} de atraso, ${months(how.month)} depois da abertura`;
    case 'charge_off': {
      const what =
        'column' in how.by
          ? `baixa como perda (${how.by.column})`
          : `${oneOfThem(how.by.due)} com ${lasting(how.by.days)} de atraso`;
      return `${what}${how.month === undefined ? '' : ` em até ${months(how.month)} da abertura`}`;
    }
  }
}

function months(count: number): string {
  return `${count} ${count === 1 ? 'mês' : 'meses'}`;
}

/** Spans of one unit name it once: `nos próximos 30, 60 e 90 dias`. */
function listOf(spans: readonly number[]): string {
  const written = spans.map((span) => portugueseQuestion.days(span).split(' '));
  const units = new Set(written.map(([, unit]) => unit.replace(/s$/, '')));
  const letter = units.has('hora') && units.size === 1 ? 'a' : 'o';
  if (units.size > 1)
    return `nos próximos ${join(
      written.map((span) => span.join(' ')),
      'e',
    )}`;
  const [, unit] = written.at(-1)!;
  return spans.length === 1 && written[0][0] === '1'
    ? `n${letter} próxim${letter} ${unit}`
    : `n${letter}s próxim${letter}s ${join(
        written.map(([count]) => count),
        'e',
      )} ${unit}`;
}

function join(parts: readonly string[], word: string): string {
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} ${word} ${parts.at(-1)}`;
}
