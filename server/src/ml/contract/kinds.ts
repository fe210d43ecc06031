import type { ColumnContract, EntityKind } from './contract.ts';
import { because, type Confidence, type Guess } from './guess.ts';
import { tableSubject, wordsOf } from './names.ts';
import type { TableProfile } from './profile.ts';
import type { Reason } from './reasons.ts';

// Common words for what tables hold, in the singular; weak evidence. Customers may be companies or people; data of
// people must be erasable.
const words: Readonly<Record<Exclude<EntityKind, 'event' | 'other'>, ReadonlySet<string>>> = {
  company: new Set([
    'company',
    'firm',
    'supplier',
    'vendor',
    'merchant',
    'organization',
    'organisation',
    'business',
    'empresa',
    'fornecedor',
  ]),
  individual: new Set([
    'person',
    'people',
    'user',
    'individual',
    'employee',
    'patient',
    'member',
    'student',
    'pessoa',
    'passenger',
    'customer',
    'client',
    'cliente',
    'borrower',
    'applicant',
    'driver',
    'lead',
    'contact',
    'owner',
    'player',
    'courier',
    'doctor',
    'teacher',
    'worker',
    'guest',
    'motorista',
    'aluno',
    'paciente',
  ]),
  asset: new Set([
    'product',
    'item',
    'article',
    'vehicle',
    'asset',
    'property',
    'machine',
    'device',
    'produto',
    'ativo',
  ]),
};

const nameWords = new Set(['name', 'nome', 'firstname', 'lastname', 'surname', 'sobrenome', 'fullname', 'nickname']);

/** Words between the others of a name in two languages. */
const joiningWords = new Set(['of', 'the', 'de', 'do', 'da', 'dos', 'das']);

/** What only people have, in whatever table. */
const ownNames = /^(?:full|first|last|middle|family|given)name$|^surname$|^sobrenome$|^nomecompleto$/;

/**
 * Columns that seem to hold names of people: named so, in a table of people, or as only a person's name is, with a
 * value for nearly every row; what is called the name of such a person (`Nome do cliente`) may repeat. Not those that
 * `links` names, by which rows are found.
 */
export function namesOfPeople(table: TableProfile, isOfPeople: boolean, links: ReadonlySet<string>): Guess[] {
  return table.columns.flatMap(({ name, type, distinct, filled }): Guess[] => {
    if (type !== 'string' || links.has(name)) return [];
    const named = wordsOf(name);
    const isOwn = ownNames.test(named.join(''));
    if (!isOwn && !(isOfPeople && named.some((word) => nameWords.has(word)))) return [];
    const isOfThem = named.every((word) => nameWords.has(word) || words.individual.has(word) || joiningWords.has(word));
    if (distinct < filled * 0.5 && !(isOfPeople && isOfThem)) return [];
    const reasons: Reason[] = [{ code: 'named_person' }, ...(isOwn ? [] : [{ code: 'table_of_people' } as const])];
    const guess = { table: table.name, column: name, kind: 'pii', value: 'true', confidence: 'medium' } as const;
    return [{ ...guess, ...because(...reasons) }];
  });
}

/**
 * The kind of entity in the rows of a table: judged first by tax numbers and birth dates, then by its place among the
 * tables, and last by its name.
 */
export function inferEntityKind(
  table: TableProfile,
  columns: readonly ColumnContract[],
  facts: { isReferenced: boolean; hasReferences: boolean; hasTime: boolean; hasBirth: boolean },
): { kind: EntityKind; guess: Guess } | null {
  const say = (kind: EntityKind, confidence: Confidence, reason: Reason): { kind: EntityKind; guess: Guess } => ({
    kind,
    guess: { table: table.name, column: null, kind: 'entityKind', value: kind, confidence, ...because(reason) },
  });
  const unique = (name: string): boolean => {
    const profile = table.columns.find((column) => column.name === name)!;
    return profile.distinct >= profile.filled * 0.95;
  };
  const taxed = columns.find((column) => (column.format === 'cpf' || column.format === 'cnpj') && unique(column.name));
  if (taxed !== undefined) {
    const kind = taxed.format === 'cpf' ? 'individual' : 'company';
    return say(kind, 'high', { code: 'tax_number', column: taxed.name, of: kind });
  }
  if (facts.hasTime && facts.hasReferences && !facts.isReferenced) {
    return say('event', 'medium', { code: 'like_events' });
  }
  if (facts.hasBirth) return say('individual', 'medium', { code: 'birth_date' });
  const subject = tableSubject(table.name);
  for (const [kind, known] of Object.entries(words)) {
    if (known.has(subject.at(-1) ?? '')) return say(kind as EntityKind, 'low', { code: 'named_table' });
  }
  return null;
}
