import type { ColumnContract, EntityKind } from './contract.ts';
import { because, type Confidence, type Guess } from './guess.ts';
import { singular, tableSubject, wordsOf } from './names.ts';
import type { TableProfile } from './profile.ts';
import type { Reason } from './reasons.ts';

// Common words for what tables hold, in the singular; weak evidence. Customers may be companies or people: they are
// taken for people, whose data must be erasable, where nothing names them as companies.
const words: Readonly<Record<Exclude<EntityKind, 'other'>, ReadonlySet<string>>> = {
  company: new Set([
    'company',
    'firm',
    'supplier',
    'vendor',
    'merchant',
    'organization',
    'organisation',
    'business',
    'corporation',
    'manufacturer',
    'empresa',
    'fornecedor',
    'fabricante',
    'companhia',
    'organizacao',
    'organização',
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
  event: new Set([
    ...['invoice', 'bill', 'order', 'purchase', 'sale', 'payment', 'instalment', 'installment', 'charge', 'refund'],
    ...['receipt', 'transaction', 'transfer', 'deposit', 'withdrawal', 'shipment', 'delivery', 'return', 'booking'],
    ...['reservation', 'appointment', 'visit', 'call', 'ticket', 'claim', 'event', 'login', 'session', 'click'],
    ...['fatura', 'boleto', 'duplicata', 'nota', 'fiscal', 'fiscais', 'pedido', 'compra', 'venda', 'pagamento'],
    ...['parcela', 'cobranca', 'cobrança', 'recibo', 'estorno', 'transacao', 'transação', 'transferencia'],
    ...['transferência', 'deposito', 'depósito', 'saque', 'remessa', 'entrega', 'devolucao', 'devolução', 'reserva'],
    ...['agendamento', 'consulta', 'visita', 'chamada', 'chamado', 'sinistro', 'evento', 'acesso', 'clique'],
  ]),
};

/** Those of `words.individual` who may be companies as well. */
const companiesOrPeople = new Set(['customer', 'client', 'cliente', 'borrower', 'applicant', 'lead', 'member']);

/** Words of columns that name an organization, besides those of tables of companies. */
const organizationWords = new Set([
  ...['employer', 'bank', 'school', 'hospital', 'university', 'institution', 'agency', 'store', 'shop', 'brand'],
  ...['banco', 'escola', 'universidade', 'instituicao', 'instituição', 'agencia', 'agência', 'loja', 'marca'],
]);
/** What only companies have. */
const companyNames = /^raz[aã]osocial$|^(?:nome)?fantasia$|^denomina[cç][aã]osocial$|^(?:trade|trading|corporate)name$/;

const nameWords = new Set(['name', 'nome', 'firstname', 'lastname', 'surname', 'sobrenome', 'fullname', 'nickname']);

/** Words between the others of a name in two languages. */
const joiningWords = new Set(['of', 'the', 'de', 'do', 'da', 'dos', 'das']);

/** What only people have, in whatever table. */
const ownNames = /^(?:full|first|last|middle|family|given)name$|^surname$|^sobrenome$|^nomecompleto$/;

/** Whether a column is called the name of a company or another organization: no personal data. */
function isOfOrganizations(name: string): boolean {
  const named = wordsOf(name);
  if (companyNames.test(named.join(''))) return true;
  const isOrganization = (word: string) => words.company.has(singular(word)) || organizationWords.has(singular(word));
  return named.some((word) => nameWords.has(word)) && named.some(isOrganization);
}

/**
 * Columns that seem to hold names of people: named so, in a table of people, or as only a person's name is, with a
 * value for nearly every row; what is called the name of such a person (`Nome do cliente`) may repeat. In a table of
 * companies those of their people (`contact_name`). Not names of organizations, nor columns that `links` names, by
 * which rows are found.
 */
export function namesOfPeople(table: TableProfile, kind: EntityKind | undefined, links: ReadonlySet<string>): Guess[] {
  const isOfPeople = kind === 'individual';
  return table.columns.flatMap(({ name, type, distinct, filled }): Guess[] => {
    if (type !== 'string' || links.has(name) || isOfOrganizations(name)) return [];
    const named = wordsOf(name);
    const isOwn = ownNames.test(named.join(''));
    const isOfThem = named.every((word) => nameWords.has(word) || words.individual.has(word) || joiningWords.has(word));
    const isOfTheirs =
      kind === 'company' &&
      isOfThem &&
      named.some((word) => words.individual.has(word) && !companiesOrPeople.has(word)) &&
      named.some((word) => nameWords.has(word));
    if (!isOwn && !isOfTheirs && !(isOfPeople && named.some((word) => nameWords.has(word)))) return [];
    if (distinct < filled * 0.5 && !isOfTheirs && !(isOfPeople && isOfThem)) return [];
    const isByTable = !isOwn && !isOfTheirs;
    const reasons: Reason[] = [{ code: 'named_person' }, ...(isByTable ? [{ code: 'table_of_people' } as const] : [])];
    const guess = { table: table.name, column: name, kind: 'pii', value: 'true', confidence: 'medium' } as const;
    return [{ ...guess, ...because(...reasons) }];
  });
}

/** The column that names the company of each row, of a table in which none is called the name of who the row is. */
function companyNameIn(table: TableProfile): string | null {
  const isOfRows = ({ name }: TableProfile['columns'][number]): boolean => {
    const named = wordsOf(name);
    const isName = (word: string) => nameWords.has(word) || companiesOrPeople.has(word) || joiningWords.has(word);
    return ownNames.test(named.join('')) || (named.every(isName) && named.some((word) => nameWords.has(word)));
  };
  if (table.columns.some(isOfRows)) return null;
  const found = table.columns.find(
    ({ name, type, distinct, filled }) =>
      type === 'string' && isOfOrganizations(name) && filled > table.rows * 0.5 && distinct > filled * 0.5,
  );
  return found?.name ?? null;
}

/** What a table holds, by its name: the last word, or that which others tell more of (`pedidos_de_venda`). */
function subjectsOf(name: string): readonly string[] {
  const subject = tableSubject(name);
  const joining = subject.findIndex((word) => joiningWords.has(word));
  return [subject.at(-1), joining > 0 ? subject[joining - 1] : undefined].filter((word) => word !== undefined);
}

/**
 * The kind of entity in the rows of a table: judged first by tax numbers and birth dates, then by its place among the
 * tables, and last by its name and by whose names its rows have.
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
  const subjects = subjectsOf(table.name);
  const named = Object.entries(words).find(([, known]) => subjects.some((word) => known.has(word)));
  const kind = named?.[0] as keyof typeof words | undefined;
  const company = companyNameIn(table);
  const mayBeCompanies =
    kind === undefined
      ? !facts.hasReferences
      : kind === 'individual' && subjects.some((word) => companiesOrPeople.has(word));
  if (company !== null && mayBeCompanies) return say('company', 'medium', { code: 'company_names', column: company });
  if (kind === 'event') return facts.hasTime ? say('event', 'medium', { code: 'named_events' }) : null;
  return kind === undefined ? null : say(kind, 'low', { code: 'named_table' });
}
