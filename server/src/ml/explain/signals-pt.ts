// What is told by numbers of events, and what was predicted, in Portuguese.
import type { Aggregate, Span } from '../features/feature.ts';
import { among, newest, oneOf, owned } from './events-pt.ts';
import { articleOfMany, averageOf, extremeOf, isSingular, latestOf, ofThe, the, totalOf } from './grammar-pt.ts';
import {
  type ColumnWords,
  type DateWords,
  daysIn,
  type EventWords,
  type PredictedWords,
  type SignalWords,
  type Whose,
} from './phrases.ts';

export function numberOf(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
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
      if (signal.kind === 'column' && signal.isRate)
        return `soma ${ofThe(name)} ${own}, que cresce com o número de registros`;
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
      return `${numberOf('mean', signal, events, span, whose)}, em comparação com ${thatYear(events)}`;
  }
}

/** Phrases for how each event's number compares with others. */
export function numberOfRank(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
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
      return `${numberOfRank('mean', signal, events, span, whose)}, em comparação com ${thatYear(events)}`;
  }
}

/** Phrases for what is yes or no for each event. */
export function numberOfYes(
  aggregate: Aggregate,
  signal: SignalWords,
  events: EventWords,
  span: Span,
  whose: Whose,
): string {
  const name = nameSignal(signal, events);
  const place = among('em', events, span, whose);
  const isColumn = signal.kind === 'column' && signal.word === undefined;
  const yes = isColumn ? `${name} igual a sim` : name;
  const came = signal.kind === 'outcome' && signal.isSentence ? sayCame(signal.of) : undefined;
  const ended = came === undefined ? `que terminaram em ${name}` : `em que ${came}`;
  const having = signal.kind === 'outcome' ? ended : `com ${yes}`;
  const isOfNew = signal.kind === 'outcome' && signal.isOfNew === true;
  const looked = came === undefined || events.role || isOfNew ? undefined : lastLooked(whose);
  if (aggregate === 'last' && looked !== undefined) return `${looked}, ${came}`;
  if (came !== undefined && events.isFourth) return numberOfCame(aggregate, came, events, span, whose);
  switch (aggregate) {
    case 'mean':
      return shareOf(having, events, span, whose);
    case 'sum':
      return shareOf(having, events, span, whose).replace('proporção', 'número');
    case 'sd':
      return `variação ${ofThe(name)} ${place}`;
    case 'min':
      return events.isFourth ? `${yes} ${oneOf('cada um', events, span, whose)}` : `sempre ${yes} ${place}`;
    case 'max':
      return events.isFourth ? `${yes} ${oneOf('ao menos um', events, span, whose)}` : `alguma vez ${yes} ${place}`;
    case 'last':
      return `${name} ${newest('em', events, whose)}`;
    case 'smoothed':
      return shareOf(having, events, span, whose).replace('proporção', 'proporção estimada');
    case 'trend':
      return `${isColumn || !events.isFourth ? latestOf(name) : `último valor ${ofThe(name)}`} em comparação com a proporção ${place}`;
    case 'slope':
      return `tendência ${ofThe(name)} ${place}`;
    case 'swing':
      return `${numberOfYes('mean', signal, events, span, whose)}, em comparação com ${thatYear(events)}`;
  }
}

/** Phrases for what came of cases, where it is told as a sentence. */
function numberOfCame(aggregate: Aggregate, came: string, events: EventWords, span: Span, whose: Whose): string {
  const place = among('em', events, span, whose);
  const often = `frequência com que ${came}`;
  const latest = newest('em', events, whose);
  switch (aggregate) {
    case 'mean':
      return `${often}, ${place}`;
    case 'sum':
      return `número de vezes em que ${came}, ${place}`;
    case 'sd':
      return `variação de “${came}”, ${place}`;
    case 'min':
      return `${came}, ${oneOf('cada um', events, span, whose)}`;
    case 'max':
      return `${came}, ${oneOf('ao menos um', events, span, whose)}`;
    case 'last':
      return `${came}, ${latest}`;
    case 'smoothed':
      return `${often}, estimada com base ${place}`;
    case 'trend':
      return `se ${came}, ${latest} em comparação com a frequência ${place}`;
    case 'slope':
      return `tendência da ${often}, ${place}`;
    case 'swing':
      return `${numberOfCame('mean', came, events, span, whose)}, em comparação com ${thatYear(events)}`;
  }
}

/**
 * The share of events of which something is said, which stands first where the events are told at length: of the last
 * 10 visits, but in all visits of the campaign.
 */
export function shareOf(said: string, events: EventWords, span: Span, whose: Whose): string {
  const isBrief = whose.kind === 'own' && ('all' in span || 'last' in span);
  if (!events.isFourth || isBrief) return `proporção ${among('de', events, span, whose)} ${said}`;
  return `proporção ${said}, ${among('em', events, span, whose)}`;
}

function thatYear({ isFourth }: EventWords): string {
  return isFourth ? 'aquele ano inteiro' : 'aquele ano';
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

/** What came of a case: `houve parcelas com 30 dias de atraso em até 90 dias`; undefined of what is no sentence. */
function sayCame(of: PredictedWords | undefined): string | undefined {
  if (of === undefined || of.kind === 'label') return undefined;
  const within = of.days === undefined ? '' : ` em até ${lasting(of.days)}`;
  if (of.kind === 'delinquency') return `houve inadimplência de ${of.many}${within}`;
  if (of.as !== 'exists') return undefined;
  const rows = articleOfMany(of.many) === '' ? `registros de ${of.many}` : of.many;
  const overdue = of.overdueDays === undefined ? '' : ` com ${lasting(of.overdueDays)} de atraso`;
  return `houve ${rows}${overdue}${within}${of.isNarrowed ? ', na condição da tarefa' : ''}`;
}

/** When a case was asked about last; undefined of rows that have no short name. */
function lastLooked(whose: Whose): string | undefined {
  if (whose.kind === 'own') return 'da última vez que se olhou';
  if (whose.kind === 'all') return 'da última vez que se olhou para alguém';
  return whose.kind === 'parent' ? `da última vez que se olhou para ${the(whose.one)}${owned(whose.of)}` : undefined;
}

export function predicted(of: PredictedWords | undefined): string {
  return of === undefined ? 'desfecho' : `“${namePredicted(of)}”`;
}

function lasting(days: number): string {
  const { count, unit } = daysIn({ days });
  const [one, more] = { hours: ['hora', 'horas'], days: ['dia', 'dias'], years: ['ano', 'anos'] }[unit];
  return `${String(count).replace('.', ',')} ${count === 1 ? one : more}`;
}

export function nameSignal(signal: SignalWords, events: EventWords): string {
  switch (signal.kind) {
    case 'column':
      return signal.word === undefined ? nameColumn(signal) : `a palavra ${signal.word} em ${nameColumn(signal)}`;
    case 'days': {
      const row = isSingular(events.one) ? the(events.one) : 'o registro';
      const start = signal.from ? the(dateName(signal.from)) : row;
      return `tempo entre ${start} e ${the(dateName(signal.to))}${signal.of === undefined ? '' : ` ${ofThe(signal.of)}`}`;
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

export function dateName({ name, isPlain }: DateWords): string {
  return isPlain ? name : `data de ${name}`;
}

export function nameColumn({ name, of: owner }: ColumnWords): string {
  return owner === undefined || name.startsWith(owner) ? name : `${name} ${ofThe(owner)}`;
}
