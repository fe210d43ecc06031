import type { Aggregate, Span } from '../features/feature.ts';
import {
  type ColumnWords,
  daysIn,
  type EventWords,
  isInline,
  type Phrases,
  type PredictedWords,
  type SignalWords,
  type Whose,
} from './phrases.ts';

// The gender and number of table and column names are unknown: no article, adjective or contraction may depend on them.

export const portuguese: Phrases = {
  decimal: ',',
  thousands: '.',
  yes: 'sim',
  no: 'não',
  months: [
    ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho'],
    ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
  ],
  weekdays: ['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'],
  date: (day, month, year) => `${day} de ${portuguese.months[month]} de ${year}`,
  money: (amount, unit) => {
    const before = unit === 'BRL' ? 'R$ ' : `${unit} `;
    return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
  },
  unit: (amount, unit) => `${amount} ${units[unit] ?? unit}`,
  deviation: (amount) => `${amount} desvios-padrão`,

  outcomes: (of) => {
    const predicted = of === undefined ? 'do que é previsto' : `de “${namePredicted(of)}”`;
    return { many: `desfechos anteriores ${predicted}`, one: `desfecho conhecido ${predicted}` };
  },
  narrowed: ({ many, one }, column, value) => {
    const having = `com ${nameColumn(column)} igual a ${value}`;
    return { many: `${many} ${having}`, one: `${one} ${having}` };
  },
  attribute: (column, whose) => `${whose.kind === 'recent' ? 'média de ' : ''}${column}${owned(whose)}`,
  neighborShare: (column, value, whose) =>
    `proporção de ${who(whose)} com ${column}${value === undefined ? '' : ` igual a ${value}`}`,
  length: (column, whose) => `tamanho de ${column}${owned(whose)}, em caracteres`,
  word: (column, word, whose) =>
    whose.kind === 'recent'
      ? `proporção de ${who(whose)} com a palavra ${word} em ${column}`
      : `palavra ${word} em ${column}${owned(whose)}`,
  words: (as, column, outcomes, whose) =>
    `${{ mean: 'média de', sum: 'diferença total de', highest: 'maior valor de', lowest: 'menor valor de' }[as]} ${outcomes.many} com as palavras de ${column}${owned(whose)}`,
  sinceDate: (date, isPlain, whose) => `dias desde ${isPlain ? date : `a data de ${date}`}${owned(whose)}`,
  untilDate: (date, isPlain, whose) => `dias até ${isPlain ? date : `a data de ${date}`}${owned(whose)}`,
  age: (whose) => (whose.kind === 'own' ? 'dias desde a própria data' : `dias desde a data${owned(whose)}`),
  count: (events, span, whose) => `número de ${some(events, span, whose)}${after(whose)}`,
  rate: (events, span, whose) =>
    `ritmo de ${some(events, span, whose)} em relação ao longo prazo, em vezes${after(whose)}`,
  since: (events, which, whose) =>
    `dias desde o ${which === 'last' ? 'registro mais recente' : 'primeiro registro'} de ${many(events, whose)}${after(whose)}`,
  gap: (events, as, whose) =>
    `${as === 'mean' ? 'média' : 'variação'} dos dias entre registros de ${many(events, whose)}${after(whose)}`,
  number: (aggregate, signal, events, span, whose) => {
    if (signal.kind === 'outcome') return outcome(aggregate, events, span, whose);
    const of = ` de ${nameSignal(signal)}`;
    const among = `${within(events, span, whose)}${after(whose)}`;
    switch (aggregate) {
      case 'mean':
        return `média${of} ${among}`;
      case 'sum':
        return `total${of} ${among}`;
      case 'sd':
        return `variação${of} ${among}`;
      case 'min':
        return `menor valor${of} ${among}`;
      case 'max':
        return `maior valor${of} ${among}`;
      case 'last':
        return portuguese.last(signal, events, whose);
      case 'smoothed':
        return `média${of} ${among}, aproximada da habitual`;
      case 'trend':
        return `valor mais recente${of} menos a média ${among}`;
      case 'slope':
        return `mudança por dia${of} ${among}`;
    }
  },
  share: (signal, value, events, span, whose) =>
    signal.kind === 'outcome'
      ? `proporção ${ofOutcomes(events, span, whose)} iguais a ${value}${after(whose)}`
      : `proporção com ${nameSignal(signal)}${value === undefined ? '' : ` igual a ${value}`} ${within(events, span, whose)}${after(whose)}`,
  last: (signal, events, whose) =>
    signal.kind === 'outcome'
      ? outcome('last', events, { last: 1 }, whose)
      : `${nameSignal(signal)} no registro mais recente de ${many(events, whose)}${after(whose)}`,
  variety: (as, signal, events, span, whose) => {
    const among =
      signal.kind === 'outcome'
        ? ofOutcomes(events, span, whose)
        : `de ${nameSignal(signal)} ${within(events, span, whose)}`;
    const named = { entropy: 'variedade', changes: 'frequência de mudança', distinct: 'número de valores diferentes' };
    return `${named[as]} ${among}${after(whose)}`;
  },
  against: (column, as, events, span, parent) =>
    `${column} em relação à ${as === 'difference' ? 'média' : 'variação habitual'} ${within(events, span, parent)}`,
  same: (column, events, span, parent) => `proporção com ${column} igual ${within(events, span, parent)}`,
  calendar: (part) => (part === 'month' ? 'mês do ano' : part === 'weekday' ? 'dia da semana' : 'data'),
  dataAge: () => 'dias desde os dados mais recentes',
  graph: () => 'sua posição na rede de empresas, pessoas e bens',
  embedding: () => 'o que um histórico como este costuma trazer',

  whether: (statement) => `se ${statement}`,
  is: (subject, value, holds) => `${subject} ${holds ? 'é' : 'não é'} ${value}`,
  usually: (holds, usuallyHolds) =>
    holds === usuallyHolds ? '(como de costume)' : holds ? '(em geral, não)' : '(em geral, sim)',
  usual: (value) => `(habitual: ${value})`,
  missing: (why, events) => {
    if (why === 'none') return `ainda sem registros de ${events}`;
    if (why === 'none_in_span') return `sem registros de ${events} no período`;
    return why === 'few' ? `ainda com poucos registros de ${events}` : 'sem informação';
  },
};

/** Units that contracts often write in English. */
const units: Readonly<Record<string, string>> = {
  hours: 'horas',
  days: 'dias',
  weeks: 'semanas',
  months: 'meses',
  years: 'anos',
  'per day': 'ao dia',
  'per month': 'ao mês',
  'per year': 'ao ano',
};

function who(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return whose.entity ?? 'todos os registros';
    case 'parent':
      return `${whose.one}${owned(whose.of)}`;
    case 'last':
      return `${whose.one} mais recente em ${whose.events}${owned(whose.of)}`;
    case 'recent':
      return `${whose.one} em registros recentes de ${whose.events}${owned(whose.of)}`;
  }
}

function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` de ${who(whose)}`;
}

function inline(whose: Whose): string {
  return isInline(whose) ? owned(whose) : '';
}

function after(whose: Whose): string {
  if (isInline(whose)) return '';
  if (whose.kind === 'all') return `, no conjunto de ${who(whose)}`;
  return `, ${whose.kind === 'recent' ? 'em média por' : 'de'} ${who(whose)}`;
}

function role({ role }: EventWords): string {
  return role ? ` (${role.kind === 'as' ? 'como' : 'por meio de'} ${role.name})` : '';
}

function many(events: EventWords, whose: Whose): string {
  return `${events.many}${role(events)}${inline(whose)}`;
}

function one(events: EventWords, whose: Whose): string {
  return `${events.one}${role(events)}${inline(whose)}`;
}

/** Events of a span, for counts: `registros de pagamentos até agora`. */
function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return `registros ${within(events, span, whose)}`;
  const named = `registros de ${many(events, whose)}`;
  return 'days' in span ? `${named} ${during(span)}` : `${named}${events.isDated ? ' até agora' : ''}`;
}

/** `in` the events of a span: `nos 10 registros mais recentes de pagamentos`. */
function within(events: EventWords, span: Span, whose: Whose): string {
  const named = many(events, whose);
  if ('days' in span) return `em ${named} ${during(span)}`;
  if ('all' in span) return `em ${events.isDated ? 'todo o histórico de ' : ''}${named}`;
  return span.last === 1
    ? `no registro mais recente de ${named}`
    : `nos ${span.last} registros mais recentes de ${named}`;
}

function during(span: { readonly days: number }): string {
  const { count, unit } = daysIn(span);
  const [one, more, ending] = {
    hours: ['hora', 'horas', 'a'],
    days: ['dia', 'dias', 'o'],
    months: ['mês', 'meses', 'o'],
  }[unit];
  return count === 1
    ? `n${ending} últim${ending} ${one}`
    : `n${ending}s últim${ending}s ${String(count).replace('.', ',')} ${more}`;
}

/** Phrases for outcomes. They are numbers themselves, so no column is named. */
function outcome(aggregate: Aggregate, events: EventWords, span: Span, whose: Whose): string {
  const earlier = ofOutcomes(events, span, whose);
  const among = `${earlier}${after(whose)}`;
  const last = `último ${one(events, whose)}`;
  switch (aggregate) {
    case 'mean':
      return `média ${among}`;
    case 'sum':
      return `total ${among}`;
    case 'sd':
      return `variação ${among}`;
    case 'min':
      return `menor valor ${among}`;
    case 'max':
      return `maior valor ${among}`;
    case 'last':
      return `${last}${after(whose)}`;
    case 'smoothed':
      return `média ${earlier}, aproximada da habitual${after(whose)}`;
    case 'trend':
      return `${last} menos a média ${them(span)}${after(whose)}`;
    case 'slope':
      return `mudança por dia ${among}`;
  }
}

/** The noun is our own, of known gender and number, so articles are possible. */
function ofOutcomes(events: EventWords, span: Span, whose: Whose): string {
  if ('days' in span) return `dos ${many(events, whose)} ${during(span)}`;
  if ('all' in span) return `de todos os ${many(events, whose)}${events.isDated ? ' até agora' : ''}`;
  return span.last === 1 ? `do último ${one(events, whose)}` : `dos últimos ${span.last} ${many(events, whose)}`;
}

function them(span: Span): string {
  if ('days' in span) return `dos que houve ${during(span)}`;
  return 'last' in span ? `dos últimos ${span.last}` : 'de todos';
}

/** `algum registro de orders em 60 dias`. */
function namePredicted(of: PredictedWords): string {
  if (of.kind === 'label') return of.name;
  const within = of.days === undefined ? '' : ` em ${lasting(of.days)}`;
  if (of.kind === 'delinquency') return `inadimplência de ${of.many}${within}`;
  const rows = `${of.many}${of.overdueDays === undefined ? '' : ` com ${lasting(of.overdueDays)} de atraso`}`;
  const ending = `${of.than === undefined ? '' : ` ${of.than}`}${within}${of.isNarrowed ? ', na condição da tarefa' : ''}`;
  switch (of.as) {
    case 'exists':
      return `algum registro de ${rows}${ending}`;
    case 'count':
      return `número de registros de ${rows}${ending}`;
    case 'sum':
      return `total de ${of.column} em ${rows}${ending}`;
    case 'next':
      return `${of.column} no próximo registro de ${rows}${ending}`;
    case 'first':
      return `dias até o primeiro registro de ${rows}${ending}`;
  }
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  const [one, more] = { hours: ['hora', 'horas'], days: ['dia', 'dias'], months: ['mês', 'meses'] }[unit];
  return `${String(count).replace('.', ',')} ${count === 1 ? one : more}`;
}

function nameSignal(signal: Exclude<SignalWords, { kind: 'outcome' }>): string {
  switch (signal.kind) {
    case 'column':
      if (signal.word !== undefined) return `a palavra ${signal.word} em ${signal.name}`;
      return nameColumn(signal);
    case 'days':
      return `dias entre o registro e ${signal.isPlain ? signal.to : `a data de ${signal.to}`}`;
    case 'rank':
      return signal.as === 'percentile'
        ? `posição relativa por ${signal.name} em cada ${signal.within}`
        : `diferença de ${signal.name} para a média em cada ${signal.within}`;
    case 'reference':
      return signal.one;
  }
}

function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${name} de ${of}`;
}
