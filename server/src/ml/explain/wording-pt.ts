import { type Aggregate, gapEventsMax, type Season, type Span } from '../features/feature.ts';
import {
  articleOf,
  articleOfMany,
  averageOf,
  extremeOf,
  inHead,
  inThe,
  isMany,
  isSingular,
  latestOf,
  ofThe,
  pluralOf,
  same,
  singularOf,
  the,
  totalOf,
} from './grammar-pt.ts';
import { translateDate, translateName } from './names-pt.ts';
import {
  type ColumnWords,
  daysIn,
  type EventWords,
  type Phrases,
  type PredictedWords,
  type SignalWords,
  spanOf,
  type Whose,
  yearsAgo,
} from './phrases.ts';

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
  sinceDate: (date, isPlain, whose) => `tempo desde ${the(isPlain ? date : `data de ${date}`)}${owned(whose)}`,
  untilDate: (date, isPlain, whose) => `tempo até ${the(isPlain ? date : `data de ${date}`)}${owned(whose)}`,
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
    `proporção ${among('de', events, span, whose)} com ${equal(nameSignal(signal, events), value)}`,
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
    const called = name === undefined ? undefined : (portuguese.translate(name, 'thing') ?? name);
    const whole = called === undefined ? '' : what === 'estimate' ? ` ${ofThe(called)}` : ` de “${name}”`;
    const moves = `${isUp ? 'aumenta' : 'reduz'} ${moved}${whole}`;
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

/** Whose the rows or values are: ` do cliente`, ` do comprador mais recente`, ` dos compradores recentes`. */
function owned(whose: Whose): string {
  switch (whose.kind) {
    case 'own':
      return '';
    case 'all':
      return ' de todos';
    case 'parent':
      return ` ${ofThe(whose.one)}${owned(whose.of)}`;
    case 'alike':
      return ` com ${likeness(whose)}`;
    case 'event':
      return ` ${whose.which === 'last' ? newest('de', whose.events, whose.of) : recentEvents('de', whose)}`;
    case 'last':
      return whose.isPlain
        ? ` ${ofThe(whose.one)} mais recente${owned(whose.of)}`
        : ` ${ofThe(whose.one)} ${newest('de', whose.events, whose.of)}`;
    case 'recent':
      return whose.isPlain
        ? ` ${ofThe(whose.many, articleOfMany(whose.many))} recentes${owned(whose.of)}`
        : ` ${ofThe(whose.many, articleOfMany(whose.many))} que aparecem ${recentEvents('em', whose)}`;
  }
}

/** `nas faturas recentes do cliente`, `dos registros recentes de invoices`. */
function recentEvents(
  preposition: 'em' | 'de',
  { events, of: owner }: { readonly events: EventWords; readonly of: Whose },
): string {
  const join = preposition === 'em' ? inThe : ofThe;
  const article = articleOfMany(events.many);
  const named =
    article === '' ? join(`registros recentes de ${events.many}`, 'os') : `${join(events.many, article)} recentes`;
  return `${named}${role(events)}${owned(owner)}${events.having}`;
}

/** `o mesmo banco do cliente`. */
function likeness({ column, of: owner }: Whose & { kind: 'alike' }): string {
  return `${articleOf(column) === '' ? `o mesmo valor de ${column}` : `${same(column)} ${column}`}${owned(owner)}`;
}

/** Says of a number of several rows, which is no average itself, that it is averaged over them. */
function averaged(whose: Whose, phrase: string): string {
  return isAveraged(whose) ? `${phrase}, em média` : phrase;
}

function isAveraged(whose: Whose): boolean {
  if (whose.kind === 'recent') return true;
  if (whose.kind === 'event') return whose.which === 'recent' || isAveraged(whose.of);
  return 'of' in whose && isAveraged(whose.of);
}

/** Events with their owner: `parcelas do cliente`. */
function held(whose: Whose, events: EventWords): string {
  return `${events.many}${role(events)}${owned(whose)}${events.having}`;
}

function role({ role }: EventWords): string {
  return role ? ` (${role.kind === 'as' ? `como ${role.name}` : `por meio ${ofThe(role.name)}`})` : '';
}

/** The newest or first event, with its article: `a última parcela do cliente`, `o último registro de invoices`. */
function end(events: EventWords, which: 'últim' | 'primeir', whose: Whose, before = ''): string {
  const article = articleOf(events.one);
  const rest = `${role(events)}${owned(whose)}${events.having}`;
  return article === '' || isMany(article)
    ? `${before}o ${which}o registro de ${events.many}${rest}`
    : `${before}${article} ${which}${article} ${events.one}${rest}`;
}

function newest(preposition: 'em' | 'de', events: EventWords, whose: Whose): string {
  return end(events, 'últim', whose, preposition === 'em' ? 'n' : 'd');
}

function knownOf(events: EventWords, whose: Whose): string {
  if (!events.isOutcome) return '';
  return `${whose.kind === 'alike' ? ' e' : ''} com desfecho conhecido`;
}

function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return `registros ${among('em', events, span, whose)}`;
  const known = knownOf(events, whose);
  if ('days' in span || 'season' in span)
    return `${held(whose, events)}${known} ${during(span, events)}${knownUntil(events, span)}`;
  return `${held(whose, events)}${known}${events.isDated && !events.isOutcome ? ' até agora' : ''}`;
}

/** The events of a span, after a preposition: `nas últimas 10 parcelas do cliente`, `de todas as parcelas`. */
function among(preposition: 'em' | 'de', events: EventWords, span: Span, whose: Whose): string {
  const join = preposition === 'em' ? inThe : ofThe;
  const article = articleOfMany(events.many);
  const rest = `${role(events)}${owned(whose)}${events.having}`;
  if ('days' in span || 'season' in span) {
    const known = knownOf(events, whose);
    return `${join(events.many, article)}${rest}${known} ${during(span, events)}${knownUntil(events, span)}`;
  }
  if ('last' in span && span.last === 1) return newest(preposition, events, whose);
  if ('last' in span) {
    const newest = newestOf(events, span.last, whose);
    return join(newest.slice(newest.indexOf(' ') + 1), article === '' ? 'os' : article);
  }
  if (article !== '') return `${preposition} tod${article} ${article} ${events.many}${rest}`;
  if (preposition === 'de') return `de todos os registros de ${events.many}${rest}`;
  return `em ${events.isDated ? 'todo o histórico de ' : ''}${events.many}${rest}`;
}

/** `as últimas 10 parcelas do cliente`. */
function newestOf(events: EventWords, count: number, whose: Whose): string {
  const article = articleOfMany(events.many);
  const rest = `${role(events)}${owned(whose)}${events.having}`;
  return article === ''
    ? `os últimos ${count} registros de ${events.many}${rest}`
    : `${article} últim${article} ${count} ${events.many}${rest}`;
}

function earlier(events: EventWords): EventWords {
  const isKnown = articleOfMany(events.many) !== '';
  return isKnown ? { ...events, many: `${events.many} anteriores`, one: `${events.one} anterior` } : events;
}

/** Days of outcomes count back from the newest one that is known of anybody. */
function knownUntil({ isOutcome }: EventWords, span: Span): string {
  return isOutcome && 'days' in span ? ' de desfechos conhecidos' : '';
}

function during(span: { readonly days: number } | Season, { isOutcome }: EventWords): string {
  if ('season' in span) {
    const years = yearsAgo(span);
    // Outcomes are those of rows asked about then, and known later.
    if (years === 0) return `${isOutcome ? 'd' : 'n'}o mesmo dia da semana anterior`;
    return `${isOutcome ? 'd' : 'n'}as mesmas semanas de ${years === 1 ? 'um ano' : `${years} anos`} antes`;
  }
  const { count, unit } = spanOf(span);
  const [one, more, ending] = {
    hours: ['hora', 'horas', 'a'],
    days: ['dia', 'dias', 'o'],
    months: ['mês', 'meses', 'o'],
    years: ['ano', 'anos', 'o'],
  }[unit];
  return count === 1
    ? `n${ending} últim${ending} ${one}`
    : `n${ending}s últim${ending}s ${String(count).replace('.', ',')} ${more}`;
}

function numberOf(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const place = among('em', events, span, whose);
  // What events have is theirs, valor das parcelas; what became of cases is not, nor what their loan has.
  const theirs = signal.kind === 'column' && signal.of === undefined ? 'de' : 'em';
  const own = among(theirs, events, span, whose);
  switch (aggregate) {
    case 'mean':
      return signal.kind === 'days'
        ? `tempo médio ${name.slice('tempo '.length)}, ${place}`
        : averageOf(name, ` ${own}`);
    case 'sum':
      return `${totalOf(name)} ${own}`;
    case 'sd':
      return `variação ${ofThe(name)} ${place}`;
    case 'min':
      return `${extremeOf('menor', name)} ${own}`;
    case 'max':
      return `${extremeOf('maior', name)} ${own}`;
    case 'last':
      return `${name} ${newest(theirs, events, whose)}`;
    case 'smoothed':
      return `média estimada de ${name} ${place}`;
    case 'trend':
      return `${latestOf(name)} em comparação com ${theirs === 'de' ? 'a' : 'sua'} média ${own}`;
    case 'slope':
      return `tendência ${ofThe(name)} ${place}`;
    case 'swing':
      return `${numberOf('mean', signal, events, span, whose)}, em comparação com aquele ano`;
  }
}

/** Phrases for how each event's number compares with others. */
function numberOfRank(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const place = among('em', events, span, whose);
  switch (aggregate) {
    case 'mean':
      return `${name}, na média ${among('de', events, span, whose)}`;
    case 'sum':
      return `${name}, no total ${place}`;
    case 'sd':
      return `variação ${ofThe(name)}, ${place}`;
    case 'min':
      return `${name}, o menor valor ${place}`;
    case 'max':
      return `${name}, o maior valor ${place}`;
    case 'last':
      return `${name}, ${newest('em', events, whose)}`;
    case 'smoothed':
      return `${name}, média estimada ${place}`;
    case 'trend':
      return `último valor de ${name}, diante da média ${place}`;
    case 'slope':
      return `tendência ${ofThe(name)}, ${place}`;
    case 'swing':
      return `${numberOfRank('mean', signal, events, span, whose)}, em comparação com aquele ano`;
  }
}

/** Phrases for what is yes or no for each event. */
function numberOfYes(aggregate: Aggregate, signal: SignalWords, events: EventWords, span: Span, whose: Whose): string {
  const name = nameSignal(signal, events);
  const place = among('em', events, span, whose);
  const isColumn = signal.kind === 'column' && signal.word === undefined;
  const yes = isColumn ? `${name} igual a sim` : name;
  const having = signal.kind === 'outcome' ? ` que terminaram em ${name}` : ` com ${yes}`;
  switch (aggregate) {
    case 'mean':
      return `proporção ${among('de', events, span, whose)}${having}`;
    case 'sum':
      return `número ${among('de', events, span, whose)}${having}`;
    case 'sd':
      return `variação ${ofThe(name)} ${place}`;
    case 'min':
      return `sempre ${yes} ${place}`;
    case 'max':
      return `alguma vez ${yes} ${place}`;
    case 'last':
      return `${name} ${newest('em', events, whose)}`;
    case 'smoothed':
      return `proporção estimada ${among('de', events, span, whose)}${having}`;
    case 'trend':
      return `${latestOf(name)} em comparação com a proporção ${place}`;
    case 'slope':
      return `tendência ${ofThe(name)} ${place}`;
    case 'swing':
      return `${numberOfYes('mean', signal, events, span, whose)}, em comparação com aquele ano`;
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

function nameSignal(signal: SignalWords, events: EventWords): string {
  switch (signal.kind) {
    case 'column':
      return signal.word === undefined ? nameColumn(signal) : `a palavra ${signal.word} em ${nameColumn(signal)}`;
    case 'days': {
      const start = isSingular(events.one) ? the(events.one) : 'o registro';
      const end = the(signal.isPlain ? signal.to : `data de ${signal.to}`);
      return `tempo entre ${start} e ${end}${signal.of === undefined ? '' : ` ${ofThe(signal.of)}`}`;
    }
    case 'rank':
      return signal.as === 'percentile'
        ? `${signal.name} em comparação com os demais em cada ${signal.within}`
        : `${signal.name} em comparação com a média de cada ${signal.within}`;
    case 'reference':
      return signal.one;
    case 'outcome':
      return predicted(signal.of);
  }
}

function nameColumn({ name, of: owner }: ColumnWords): string {
  return owner === undefined || name.startsWith(owner) ? name : `${name} ${ofThe(owner)}`;
}
