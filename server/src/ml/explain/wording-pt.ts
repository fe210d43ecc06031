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
  blank: 'em branco',
  months: [
    ...['janeiro', 'fevereiro', 'março', 'abril', 'maio', 'junho'],
    ...['julho', 'agosto', 'setembro', 'outubro', 'novembro', 'dezembro'],
  ],
  weekdays: ['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'],
  date: (day, month, year) => `${day === 1 ? '1º' : day} de ${portuguese.months[month]} de ${year}`,
  money: (amount, unit) => {
    const before = unit === 'BRL' ? 'R$ ' : `${unit} `;
    return /^[+-]/.test(amount) ? `${amount[0]}${before}${amount.slice(1)}` : `${before}${amount}`;
  },
  unit: (amount, unit) => `${amount} ${units[unit] ?? unit}`,
  time: (amount, unit) => `${amount} ${isOne(amount) ? units[unit]!.slice(0, -1) : units[unit]}`,
  deviations: (amount) => `${amount} ${isOne(amount) ? 'desvio-padrão' : 'desvios-padrão'}`,
  ofLongRun: (times) => `${times} a média de longo prazo`,
  higherThan: (share) => `acima de ${share}`,
  extreme: (end) => (end === 'highest' ? 'o maior valor' : 'o menor valor'),
  apart: (amount, sign) => (sign === 0 ? 'igual' : `${amount} ${sign > 0 ? 'acima' : 'abaixo'}`),
  perMonth: (change) => `${change} ao mês`,
  kinds: (amount) => `cerca de ${amount} ${isOne(amount) ? 'tipo' : 'tipos'}`,

  outcomes: (of) => ({
    many: `casos anteriores${of === undefined ? '' : ` de ${of.many}`}`,
    one: `caso conhecido${of === undefined ? '' : ` de ${of.one}`}`,
  }),
  narrowed: ({ many, one }, column, value) => {
    const having = `com ${equal(nameColumn(column), value)}`;
    return { many: `${many} ${having}`, one: `${one} ${having}` };
  },
  attribute: (column, whose) => `${whose.kind === 'recent' ? 'média de ' : ''}${column}${owned(whose)}`,
  neighborShare: (column, value, whose) => `proporção de ${who(whose)} com ${equal(column, value ?? 'sim')}`,
  length: (column, whose) => `tamanho de ${column}${owned(whose)}, em caracteres`,
  word: (column, word, whose) =>
    whose.kind === 'recent'
      ? `proporção de ${who(whose)} com a palavra ${word} em ${column}`
      : `a palavra ${word} em ${column}${owned(whose)}`,
  words: (as, column, of, whose) => {
    const known = `${predicted(of)} nos casos anteriores com`;
    if (as === 'mean') return `média de ${known} as palavras de ${column}${owned(whose)}`;
    if (as === 'sum') return `tendência total das palavras de ${column}${owned(whose)} para ${predicted(of)}`;
    return `${as === 'highest' ? 'maior' : 'menor'} média de ${known} uma das palavras de ${column}${owned(whose)}`;
  },
  sinceDate: (date, isPlain, whose) => `tempo desde ${isPlain ? date : `a data de ${date}`}${owned(whose)}`,
  untilDate: (date, isPlain, whose) => `tempo até ${isPlain ? date : `a data de ${date}`}${owned(whose)}`,
  age: (whose) => (whose.kind === 'own' ? 'tempo desde a própria data' : `tempo desde a data${owned(whose)}`),
  count: (events, span, whose) => tell(whose, `número de ${some(events, span, whose)}`),
  rate: (events, span, whose) => tell(whose, `ritmo de ${some(events, span, whose)}`),
  since: (events, which, whose) =>
    tell(whose, `tempo desde o ${which === 'last' ? newest(events, whose) : first(events, whose)}`),
  gap: (events, as, whose) =>
    tell(whose, `${as === 'mean' ? 'tempo médio' : 'variação do tempo'} entre ${records(events, whose)}`),
  number: (aggregate, signal, events, span, whose) =>
    tell(
      whose,
      signal.isYesNo
        ? numberOfYes(aggregate, signal, events, span, whose)
        : numberOf(aggregate, signal, events, span, whose),
    ),
  share: (signal, value, events, span, whose) =>
    tell(whose, `proporção com ${equal(nameSignal(signal), value)} ${within(events, span, whose)}`),
  last: (signal, events, whose) => tell(whose, `${nameSignal(signal)} no ${newest(events, whose)}`),
  variety: (as, signal, events, span, whose) => {
    const named = { entropy: 'variedade', changes: 'frequência de mudança', distinct: 'número de valores diferentes' };
    return tell(whose, `${named[as]} de ${nameSignal(signal)} ${within(events, span, whose)}`);
  },
  against: (column, as, events, span, parent) =>
    `${column} em relação à ${as === 'difference' ? 'média' : 'variação habitual'} ${within(events, span, parent)}`,
  same: (column, events, span, parent) => `proporção com ${column} igual ${within(events, span, parent)}`,
  calendar: (part) => (part === 'month' ? 'mês do ano' : part === 'weekday' ? 'dia da semana' : 'data'),
  dataAge: () => 'tempo desde os dados mais recentes',
  graph: () => 'sua posição na rede de empresas, pessoas e bens',
  embedding: () => 'o que um histórico como este costuma trazer',

  whether: (statement) => `se ${statement}`,
  is: (subject, value) => `${subject} é ${value}`,
  not: (value) => (value === undefined ? 'não' : `diferente de ${value}`),
  usual: (value) => `(em geral ${value})`,
  mostly: (zero) => `(${zero} na maioria)`,
  asUsual: () => '(como de costume)',
  missing: (why, events) => {
    switch (why) {
      case 'none':
        return `ainda sem ${events}`;
      case 'none_in_span':
        return `sem ${events} no período`;
      case 'few':
        return `ainda com poucos registros de ${events}`;
      case 'none_known':
        return 'nenhum valor conhecido';
      case 'unknown':
        return 'sem informação';
    }
  },
  move: ({ what, name, isUp, size }) => {
    const moved = { risk: 'o risco', chance: 'a chance', estimate: 'a estimativa' }[what];
    const shown = what === 'estimate' ? name : `“${name}”`;
    const moves = `${isUp ? 'aumenta' : 'reduz'} ${moved}${name === undefined ? '' : ` de ${shown}`}`;
    if (!size) return `${moves} um pouco`;
    const points = isOne(size.text) ? 'ponto' : 'pontos';
    if (size.kind === 'points') return `${moves} (${size.text} ${points} a ${isUp ? 'menos' : 'mais'} no score)`;
    if (size.kind === 'amount') return `${moves} em ${size.text}`;
    return `${moves} em ${size.text} ${points} ${isOne(size.text) ? 'percentual' : 'percentuais'}`;
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

/** Whether an amount takes the singular, as all below two do: 1,5 ponto. */
function isOne(amount: string): boolean {
  const size = Math.abs(Number(amount.replaceAll('.', '').replace(',', '.')));
  return size > 0 && size < 2;
}

/** `status igual a aberto`. */
function equal(column: string, value: string): string {
  return value === portuguese.blank ? `${column} ${value}` : `${column} igual a ${value}`;
}

function who(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return 'todos';
    case 'parent':
      return `${whose.one}${owned(whose.of)}`;
    case 'last':
      return `${whose.one} no ${newest({ ...whose.events, role: undefined }, whose.of)}`;
    case 'recent':
      return `${whose.one} nos registros recentes de ${many({ ...whose.events, role: undefined }, whose.of)}`;
  }
}

function owned(whose: Whose): string {
  return whose.kind === 'own' ? '' : ` de ${who(whose)}`;
}

/** Says whose state a phrase describes, where its events do not. */
function tell(whose: Whose, phrase: string): string {
  if (isInline(whose) || whose.kind === 'all') return phrase;
  const isSaid = !isAveraged(whose) || phrase.startsWith('média ');
  return `${who(whose)} – ${phrase}${isSaid ? '' : ', em média'}`;
}

function isAveraged(whose: Whose): boolean {
  return whose.kind === 'recent' || (whose.kind === 'parent' && isAveraged(whose.of));
}

function many(events: EventWords, whose: Whose): string {
  return `${events.many}${role(events)}${isInline(whose) || whose.kind === 'all' ? owned(whose) : ''}`;
}

function role({ role }: EventWords): string {
  return role ? ` (${role.kind === 'as' ? 'como' : 'por meio de'} ${role.name})` : '';
}

/** `registros de pagamentos`. Cases are a noun of our own and stand for themselves. */
function records(events: EventWords, whose: Whose): string {
  return `${events.isOutcome ? '' : 'registros de '}${many(events, whose)}`;
}

function one(events: EventWords, whose: Whose): string {
  if (!events.isOutcome) return `de ${many(events, whose)}`;
  return isInline(whose) || whose.kind === 'all' ? owned(whose).trimStart() : '';
}

/** `último registro de pagamentos`, after an article. */
function newest(events: EventWords, whose: Whose): string {
  return `último ${events.isOutcome ? events.one : 'registro'} ${one(events, whose)}`.trimEnd();
}

function first(events: EventWords, whose: Whose): string {
  return `primeiro ${events.isOutcome ? events.one : 'registro'} ${one(events, whose)}`.trimEnd();
}

/** Events of a span, for counts: `registros de pagamentos até agora`. */
function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return `registros ${within(events, span, whose)}`;
  const named = `${records(events, whose)}${events.isOutcome ? ' com desfecho conhecido' : ''}`;
  if ('days' in span) return `${named} ${during(span)}`;
  return `${named}${events.isDated && !events.isOutcome ? ' até agora' : ''}`;
}

/** `in` the events of a span: `nos últimos 10 registros de pagamentos`. */
function within(events: EventWords, span: Span, whose: Whose): string {
  const named = many(events, whose);
  if ('days' in span) return `em ${named}${events.isOutcome ? ' com desfecho conhecido' : ''} ${during(span)}`;
  if ('all' in span) {
    if (events.isOutcome) return `em todos os ${named}`;
    return `em ${events.isDated ? 'todo o histórico de ' : ''}${named}`;
  }
  if (span.last === 1) return `no ${newest(events, whose)}`;
  return events.isOutcome ? `nos últimos ${span.last} ${named}` : `nos últimos ${span.last} registros de ${named}`;
}

function during(span: { readonly days: number }): string {
  const { count, unit } = daysIn(span);
  const [one, more, ending] = {
    hours: ['hora', 'horas', 'a'],
    days: ['dia', 'dias', 'o'],
    years: ['ano', 'anos', 'o'],
  }[unit];
  return count === 1
    ? `n${ending} últim${ending} ${one}`
    : `n${ending}s últim${ending}s ${String(count).replace('.', ',')} ${more}`;
}

function numberOf(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal);
  const among = within(events, span, whose);
  switch (aggregate) {
    case 'mean':
      return `média de ${name} ${among}`;
    case 'sum':
      return `total de ${name} ${among}`;
    case 'sd':
      return `variação de ${name} ${among}`;
    case 'min':
      return `menor valor de ${name} ${among}`;
    case 'max':
      return `maior valor de ${name} ${among}`;
    case 'last':
      return `${name} no ${newest(events, whose)}`;
    case 'smoothed':
      return `média de ${name} ${among}, com correção para poucos casos`;
    case 'trend':
      return `último valor de ${name} em relação à média ${among}`;
    case 'slope':
      return `tendência de ${name} ${among}`;
  }
}

/** Phrases for what is yes or no for each event. */
function numberOfYes(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal);
  const among = within(events, span, whose);
  const having = signal.kind === 'column' && signal.word === undefined ? `${name} igual a sim` : name;
  switch (aggregate) {
    case 'mean':
      return `proporção com ${having} ${among}`;
    case 'sum':
      return `quantidade com ${having} ${among}`;
    case 'sd':
      return `variação de ${name} ${among}`;
    case 'min':
      return `sempre ${having} ${among}`;
    case 'max':
      return `alguma vez ${having} ${among}`;
    case 'last':
      return `${name} no ${newest(events, whose)}`;
    case 'smoothed':
      return `proporção com ${having} ${among}, com correção para poucos casos`;
    case 'trend':
      return `último valor de ${name} em relação à proporção ${among}`;
    case 'slope':
      return `tendência de ${name} ${among}`;
  }
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

function predicted(of: PredictedWords | undefined): string {
  return of === undefined ? 'desfecho' : `“${namePredicted(of)}”`;
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  const [one, more] = { hours: ['hora', 'horas'], days: ['dia', 'dias'], years: ['ano', 'anos'] }[unit];
  return `${String(count).replace('.', ',')} ${count === 1 ? one : more}`;
}

function nameSignal(signal: SignalWords): string {
  switch (signal.kind) {
    case 'column':
      return signal.word === undefined ? nameColumn(signal) : `a palavra ${signal.word} em ${nameColumn(signal)}`;
    case 'days':
      return `tempo entre o registro e ${signal.isPlain ? signal.to : `a data de ${signal.to}`}`;
    case 'rank':
      return signal.as === 'percentile'
        ? `posição relativa por ${signal.name} em cada ${signal.within}`
        : `${signal.name} em relação à média em cada ${signal.within}`;
    case 'reference':
      return signal.one;
    case 'outcome':
      return predicted(signal.of);
  }
}

function nameColumn({ name, of }: ColumnWords): string {
  return of === undefined || name.startsWith(of) ? name : `${name} de ${of}`;
}
