import { gapEventsMax } from '../features/feature.ts';
import { among, averaged, earlier, end, likeness, newest, newestOf, owned, some } from './events-pt.ts';
import { articleOf, averageOf, inHead, ofThe, pluralOf, same, singularOf, the } from './grammar-pt.ts';
import { translateDate, translateName } from './names-pt.ts';
import type { Phrases } from './phrases.ts';
import {
  dateName,
  nameColumn,
  nameSignal,
  numberOf,
  numberOfRank,
  numberOfYes,
  predicted,
  shareOf,
} from './signals-pt.ts';

export const portuguese: Phrases = {
  decimal: ',',
  thousands: '.',
  anotherValue: 'outro valor',
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
  ofThatYear: (times) => `${times} a média daquele ano`,
  higherThan: (share) => `acima de ${share} deles`,
  extreme: (end) => (end === 'highest' ? 'o maior valor' : 'o menor valor'),
  apart: (amount, sign) => (sign === 0 ? 'igual' : `${amount} ${sign > 0 ? 'acima' : 'abaixo'}`),
  passed: (time) => `passou há ${time}`,
  late: (time, sign) => (sign === 0 ? 'no dia' : `${time} de ${sign > 0 ? 'atraso' : 'antecedência'}`),
  perMonth: (change) => `${change} ao mês`,
  spread: (amount) => `±${amount}`,
  kinds: (amount) => `cerca de ${amount} ${isOne(amount) ? 'tipo' : 'tipos'}`,

  outcomes: (of) => ({
    many: `casos anteriores${of === undefined ? '' : ` de ${of.many}`}`,
    one: `caso conhecido${of === undefined ? '' : ` de ${of.one}`}`,
  }),
  narrowed: (column, value) => ` com ${equal(nameColumn(column), value)}`,
  both: (first, second) => `${first} e ${second}`,
  translate: (name, as) => (as === 'date' ? translateDate(name) : translateName(name, ofThe)),
  singular: (many) => inHead(many, singularOf),
  plural: (one) => inHead(one, pluralOf),
  attribute: (column, whose) =>
    whose.kind === 'recent' ? averageOf(column, owned(whose)) : `${column}${owned(whose)}`,
  neighborShare: (column, value, whose) => `proporção${owned(whose)} com ${equal(column, value ?? 'sim')}`,
  length: (column, whose) => `tamanho de ${column}${owned(whose)}, em caracteres`,
  word: (column, word, whose) =>
    whose.kind === 'recent'
      ? `proporção${owned(whose)} com a palavra ${word} em ${column}`
      : `a palavra ${word} em ${column}${owned(whose)}`,
  words: (as, column, of, whose) => {
    const known = `${predicted(of)} nos casos anteriores com`;
    if (as === 'mean') return `média de ${known} as palavras de ${column}${owned(whose)}`;
    if (as === 'sum') return `tendência total das palavras de ${column}${owned(whose)} para ${predicted(of)}`;
    return `${as === 'highest' ? 'maior' : 'menor'} média de ${known} uma das palavras de ${column}${owned(whose)}`;
  },
  sinceDate: (date, whose) => `tempo desde ${the(dateName(date))}${owned(whose)}`,
  untilDate: (date, whose) => `tempo até ${the(dateName(date))}${owned(whose)}`,
  age: (whose) => (whose.kind === 'own' ? 'tempo desde a própria data' : `tempo desde a data${owned(whose)}`),
  count: (events, span, whose) => averaged(whose, `número de ${some(events, span, whose)}`),
  rate: (events, span, whose) => averaged(whose, `ritmo de ${some(events, span, whose)}`),
  since: (events, which, whose) =>
    averaged(whose, `tempo desde ${end(events, which === 'last' ? 'últim' : 'primeir', whose)}`),
  gap: (events, as, whose) => {
    const between = `entre ${newestOf(events, gapEventsMax, whose)}`;
    return as === 'mean' ? `tempo médio ${between}` : averaged(whose, `variação do tempo ${between}`);
  },
  number: (aggregate, signal, events, span, whose) => {
    const number = signal.isYesNo ? numberOfYes : signal.kind === 'rank' ? numberOfRank : numberOf;
    const phrase = number(aggregate, signal, events, span, whose);
    return aggregate === 'mean' || aggregate === 'smoothed' ? phrase : averaged(whose, phrase);
  },
  share: (signal, value, events, span, whose) =>
    shareOf(`com ${equal(nameSignal(signal, events), value)}`, events, span, whose),
  last: (signal, events, whose) => averaged(whose, `${nameSignal(signal, events)} ${newest('em', events, whose)}`),
  variety: (as, signal, events, span, whose) => {
    const named = { entropy: 'variedade', changes: 'frequência de mudança', distinct: 'número de valores diferentes' };
    const phrase = `${named[as]} ${ofThe(nameSignal(signal, events))} ${among('em', events, span, whose)}`;
    return averaged(whose, phrase);
  },
  against: (column, as, events, span, parent) =>
    `${column} em comparação com a ${as === 'difference' ? 'média' : 'variação habitual'} ${among('de', earlier(events), span, parent)}`,
  same: (column, events, span, parent) =>
    `proporção ${among('de', earlier(events), span, parent)} com ${articleOf(column) === '' ? `${column} igual` : `${same(column)} ${column}`}`,
  rating: (as, events, value, whose) => {
    const strength = `força${as === 'recent' ? ' recente' : ''}${whose.kind === 'alike' ? ` de quem tem ${likeness(whose)}` : owned(whose)}`;
    return `${strength}, ${value === undefined ? 'pelos desfechos' : `pela frequência de ${value}`} nos ${events.many}`;
  },
  apartFrom: (read, other) =>
    `${read}, em comparação com ${other.kind === 'alike' ? `quem tem ${likeness(other)}` : `o mesmo${owned(other)}`}`,
  calendar: (part) => (part === 'month' ? 'mês do ano' : part === 'weekday' ? 'dia da semana' : 'data'),
  dataAge: () => 'tempo desde os dados mais recentes',
  graph: () => 'sua posição na rede de empresas, pessoas e bens',
  embedding: () => 'o que um histórico como este costuma trazer',

  whether: (statement) => `se ${statement}`,
  is: (subject, value) => `${subject} é ${value}`,
  not: (value) => (value === undefined ? 'não' : `diferente de ${value}`),
  usual: (value) => `(em geral ${value})`,
  mostly: (zero) => `(${zero} na maioria)`,
  asUsual: (isMoving) => (isMoving ? '(valor comum)' : '(como de costume)'),
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
  move: ({ what, name, isUp, isAgainstAverage, size }) => {
    const moved = { risk: 'o risco', chance: 'a chance', estimate: 'a estimativa' }[what];
    const called = name === undefined ? undefined : (portuguese.translate(name, 'thing') ?? name);
    const whole = called === undefined ? '' : what === 'estimate' ? ` ${ofThe(called)}` : ` de “${name}”`;
    const than = isAgainstAverage ? ' em relação ao caso médio' : '';
    const moves = `${isUp ? 'aumenta' : 'reduz'} ${moved}${whole}${than}`;
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
