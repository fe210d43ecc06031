// Events, and whose they and their values are, in Portuguese.
import type { Season, Span } from '../features/feature.ts';
import { articleOf, articleOfMany, inThe, isMany, ofThe, same } from './grammar-pt.ts';
import { type EventWords, isAveraged, spanOf, type Whose, yearsAgo } from './phrases.ts';

/** Whose the rows or values are: ` do cliente`, ` do comprador mais recente`, ` dos compradores recentes`. */
export function owned(whose: Whose): string {
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
        : ` ${ofThe(whose.many, articleOfMany(whose.many))} ${whose.events.isFourth ? '' : 'que aparecem '}${recentEvents(whose.events.isFourth ? 'de' : 'em', whose)}`;
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
export function likeness({ column, of: owner }: Whose & { kind: 'alike' }): string {
  return `${articleOf(column) === '' ? `o mesmo valor de ${column}` : `${same(column)} ${column}`}${owned(owner)}`;
}

/** Says of a number of several rows, which is no average itself, that it is averaged over them. */
export function averaged(whose: Whose, phrase: string): string {
  return isAveraged(whose) ? `${phrase}, em média` : phrase;
}

/** Events with their owner: `parcelas do cliente`. */
function held(whose: Whose, events: EventWords): string {
  return `${events.many}${restOf(events, whose)}`;
}

function role({ role }: EventWords): string {
  return role ? ` (${role.kind === 'as' ? `como ${role.name}` : `por meio ${ofThe(role.name)}`})` : '';
}

/** The newest or first event, with its article: `a última parcela do cliente`, `o último registro de invoices`. */
export function end(events: EventWords, which: 'últim' | 'primeir', whose: Whose, before = ''): string {
  const article = articleOf(events.one);
  const rest = restOf(events, whose);
  return article === '' || isMany(article)
    ? `${before}o ${which}o registro de ${events.many}${rest}`
    : `${before}${article} ${which}${article} ${events.one}${rest}`;
}

export function newest(preposition: 'em' | 'de', events: EventWords, whose: Whose): string {
  return end(events, 'últim', whose, preposition === 'em' ? 'n' : 'd');
}

function knownOf(events: EventWords, whose: Whose): string {
  if (!events.isOutcome) return '';
  return `${whose.kind === 'alike' ? ' e' : ''} com desfecho conhecido`;
}

export function some(events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span) return `registros ${among('em', events, span, whose)}`;
  const known = knownOf(events, whose);
  if (events.isFourth && ('days' in span || 'season' in span)) return timed(events, span, whose, events.many);
  if ('days' in span || 'season' in span)
    return `${held(whose, events)}${known} ${during(span, events)}${knownUntil(events, span)}`;
  return `${held(whose, events)}${known}${events.isDated && !events.isOutcome ? ' até agora' : ''}`;
}

/** Events of a time, which stands after whose they are: `parcelas do último empréstimo, nos últimos 90 dias`. */
function timed(events: EventWords, span: { readonly days: number } | Season, whose: Whose, noun: string): string {
  const rest = restOf(events, whose);
  if (events.isOutcome && 'days' in span) {
    const known = ` cujo desfecho ficou conhecido ${during(span, events)}`;
    if (whose.kind !== 'alike') return `${noun}${rest}${known}`;
    return `${noun}${role(events)}${events.having}${known}, com ${likeness(whose)}`;
  }
  return `${noun}${rest}${isNear(whose) && !(events.isOutcome && whose.kind !== 'own') ? '' : ','} ${during(span, events)}`;
}

/** Whether whose rows are is said so briefly that what follows is not taken for theirs. */
function isNear(whose: Whose): boolean {
  if (whose.kind === 'own' || whose.kind === 'all') return true;
  if (whose.kind === 'alike' || whose.kind === 'event') return false;
  return whose.of.kind === 'own' && (whose.kind === 'parent' || whose.isPlain);
}

/** What stands after the noun: the role, what the events have, and whose they are. */
function restOf(events: EventWords, whose: Whose): string {
  if (!events.isFourth) return `${role(events)}${owned(whose)}${events.having}`;
  const likes = whose.kind === 'alike' && events.having !== '' ? ` e ${likeness(whose)}` : owned(whose);
  return `${role(events)}${events.having}${likes}`;
}

/** Each of the events of a span: `ao menos uma das parcelas`, `na última parcela`. */
export function oneOf(which: 'ao menos um' | 'cada um', events: EventWords, span: Span, whose: Whose): string {
  if ('last' in span && span.last === 1) return newest('em', events, whose);
  const article = articleOfMany(events.many);
  const one = `em ${which}${article === 'as' ? 'a' : ''}`;
  if (!('all' in span)) return `${one} ${among('de', events, span, whose)}`;
  const rows = article === '' ? `dos registros de ${events.many}` : ofThe(events.many, article);
  return `${one} ${rows}${restOf(events, whose)}${events.isDated && !events.isOutcome ? ' até agora' : ''}`;
}

/** The events of a span, after a preposition: `nas últimas 10 parcelas do cliente`, `de todas as parcelas`. */
export function among(preposition: 'em' | 'de', events: EventWords, span: Span, whose: Whose): string {
  const join = preposition === 'em' ? inThe : ofThe;
  const article = articleOfMany(events.many);
  const rest = restOf(events, whose);
  if (events.isFourth && ('days' in span || 'season' in span))
    return timed(events, span, whose, join(events.many, article));
  if ('days' in span || 'season' in span) {
    const known = knownOf(events, whose);
    return `${join(events.many, article)}${rest}${known} ${during(span, events)}${knownUntil(events, span)}`;
  }
  if ('last' in span && span.last === 1) return newest(preposition, events, whose);
  if ('last' in span) {
    const newest = newestOf(events, span.last, whose);
    return join(newest.slice(newest.indexOf(' ') + 1), article === '' ? 'os' : article);
  }
  // All of everybody's are told as theirs: of everybody.
  if (events.isFourth && whose.kind === 'all' && article !== '') return `${join(events.many, article)}${rest}`;
  if (article !== '') return `${preposition} tod${article} ${article} ${events.many}${rest}`;
  if (preposition === 'de') return `de todos os registros de ${events.many}${rest}`;
  return `em ${events.isDated ? 'todo o histórico de ' : ''}${events.many}${rest}`;
}

/** `as últimas 10 parcelas do cliente`. */
export function newestOf(events: EventWords, count: number, whose: Whose): string {
  const article = articleOfMany(events.many);
  const rest = restOf(events, whose);
  return article === ''
    ? `os últimos ${count} registros de ${events.many}${rest}`
    : `${article} últim${article} ${count} ${events.many}${rest}`;
}

export function earlier(events: EventWords): EventWords {
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
