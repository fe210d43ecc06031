import { basename } from 'node:path';
import { Failure } from '../../../lib/failure.ts';
import { hashFile } from '../../../lib/files/hash.ts';
import type { Reject } from '../../../lib/files/rejects.ts';
import { RejectLog } from '../../../lib/files/rejects.ts';
import { microsecondsPerDay } from '../../contract/contract.ts';
import { type AttributeValue, type FactBook, openBook } from '../facts/book.ts';
import type { FactStore, StoreSource } from '../facts/store.ts';
import { companyRootOf, normalizeName, personId, visibleDigits } from './names.ts';
import { readRegisterRows } from './rows.ts';

export type RegisterReport = { readonly rejects: readonly Reject[]; readonly rejectedTotal: number };

export type RegisterOptions = {
  /** Nothing in these files was known earlier, microseconds. Without it every fact is known from its own date on. */
  readonly publishedAt?: number;
  readonly isSynthetic?: boolean;
};

/** Number of fields per row, by kind of file; files are recognised by it. */
const widths = { companies: 7, establishments: 30, partners: 11 } as const;
type RegisterFile = keyof typeof widths;
const order: readonly RegisterFile[] = ['companies', 'establishments', 'partners'];

/** Qualifications of partners (codes of the register) that direct without owning; 49 does both. */
const directing = new Set(['05', '08', '10', '16', '17', '28']);
const managingPartner = '49';
/** The code of a closed establishment. */
const closed = '08';
const isHeadOffice = '1';
const attributes = {
  legal_nature: 'text',
  size: 'text',
  capital: 'number',
  activity: 'text',
  state: 'text',
  founded: 'time',
  age_band: 'text',
  age_bands: 'number',
} as const;

/**
 * Builds a store from Brazil's open company register in its published format (Empresas, Estabelecimentos, Sócios;
 * unpacked, several files of each). A company is identified by the first eight characters of its CNPJ, before the
 * slash; its attributes are those of the company and its head office. The facts are:
 * - partner owns / directs company: from the day of entry, by the partner's qualification;
 * - person represents company: the legal representative of a partner, from the same day;
 * - company located_at / has_phone / has_email an asset: from an establishment's first day to the day it was closed;
 * - company has_situation: from the day of the head office's situation on.
 *
 * People are masked: a person is identified by the six visible digits with the normalised name. The register has
 * today's partners only. Those who left are not in it, so it looks as if they had never been partners. Rows without a
 * date, or without a valid CNPJ or CPF, are rejected, and the other rows are read. Throws Failure 'invalid' for any
 * other file.
 */
export async function importRegister(
  paths: readonly string[],
  options: RegisterOptions = {},
  progress: (line: string) => void = () => {},
): Promise<{ store: FactStore; report: RegisterReport }> {
  const book = openBook();
  for (const [name, kind] of Object.entries(attributes)) book.attribute(name, kind);
  const log = new RejectLog();
  const refuse = (reject: Reject) => log.add(reject);
  const roles = new Map<string, RegisterFile>();
  for (const path of paths) roles.set(path, await roleOf(path));
  const register: Register = {
    book,
    knownAt: options.publishedAt ?? Number.NEGATIVE_INFINITY,
    told: new Map(),
    bands: new Map(),
  };
  const sources: StoreSource[] = [];
  for (const role of order) {
    for (const path of paths) {
      if (roles.get(path) !== role) continue;
      let rows = 0;
      for await (const { row, fields } of readRegisterRows(path, refuse)) {
        rows++;
        const reason = adders[role](register, fields);
        if (reason !== null) refuse({ file: basename(path), row, column: null, reason, value: null });
      }
      sources.push({ name: basename(path), sha256: hashFile(path), rows });
      progress(`read ${basename(path)}: ${rows} ${role}`);
    }
  }
  for (const [company, values] of register.told) book.addNode(company, register.knownAt, values);
  for (const [person, bands] of register.bands) {
    const values: [string, AttributeValue][] = [['age_bands', bands.size]];
    if (bands.size === 1) values.push(['age_band', [...bands][0]]);
    book.addNode(person, register.knownAt, new Map(values));
  }
  const store = book.finish(options.isSynthetic === true, sources, 'br-register');
  return { store, report: { rejects: log.kept, rejectedTotal: log.total } };
}

type Register = {
  readonly book: FactBook;
  readonly knownAt: number;
  readonly told: Map<number, Map<string, AttributeValue>>;
  /** The age bands a person is shown with. More than one means that the entry stands for more than one person. */
  readonly bands: Map<number, Set<string>>;
};

async function roleOf(path: string): Promise<RegisterFile> {
  for await (const { fields } of readRegisterRows(path, () => {})) {
    const role = order.find((each) => widths[each] === fields.length);
    if (role !== undefined) return role;
    throw new Failure(
      'invalid',
      `${basename(path)} has ${fields.length} fields; Empresas have 7, Estabelecimentos 30, Sócios 11, without a header and between semicolons`,
    );
  }
  throw new Failure('invalid', `${basename(path)} is empty`);
}

/** Each adds a row, or returns why it cannot. */
const adders: Readonly<Record<RegisterFile, (register: Register, fields: readonly string[]) => string | null>> = {
  companies(register, [root = '', , nature = '', , capital = '', size = '']) {
    const company = companyOf(register, root);
    if (company === null) return notCompany(root);
    const told = toldOf(register, company);
    tell(told, 'legal_nature', nature);
    tell(told, 'size', size);
    const amount = Number(capital.replaceAll('.', '').replace(',', '.'));
    if (capital !== '' && Number.isFinite(amount)) told.set('capital', amount);
    return null;
  },

  establishments(register, fields) {
    const [root = '', branch = '', , office = '', , situation = '', since = '', , , , opened = '', activity = ''] =
      fields;
    const company = companyOf(register, root);
    if (company === null || !/^[0-9A-Z]{4}$/.test(branch)) return notCompany(`${root}${branch}`);
    const from = dayOf(opened);
    if (from === null) return 'the day of opening is no day, written YYYYMMDD';
    const changed = dayOf(since);
    const end = situation === closed && changed !== null && changed >= from ? endOf(changed) : Number.NaN;
    const [street = '', number = '', more = ''] = fields.slice(14, 17);
    const [postcode = '', state = ''] = [fields[18], fields[19]];
    const place = normalizeName(`${postcode} ${street} ${number} ${more}`);
    if (/^\d{8}$/.test(postcode)) link(register, company, 'located_at', `address ${place}`, from, end);
    const phones = [fields.slice(21, 23).join(''), fields.slice(23, 25).join('')].map((text) =>
      text.replace(/\D/g, ''),
    );
    for (const phone of new Set(phones))
      if (phone.length >= 8) link(register, company, 'has_phone', `phone ${phone}`, from, end);
    const email = (fields[27] ?? '').toLowerCase();
    if (email.includes('@')) link(register, company, 'has_email', `email ${email}`, from, end);
    if (office !== isHeadOffice) return null;
    const told = toldOf(register, company);
    tell(told, 'activity', activity.slice(0, 2));
    tell(told, 'state', state);
    told.set('founded', from);
    if (changed !== null && situation !== '') {
      const object = register.book.entityFor('other', `situation ${situation}`);
      addFact(register, company, 'has_situation', object, Math.max(from, changed), Number.NaN);
    }
    return null;
  },

  partners(register, fields) {
    const [root = '', kind = '', name = '', document = '', qualification = '', since = '', country = ''] = fields;
    const [represents = '', representative = ''] = fields.slice(7, 9);
    const company = companyOf(register, root);
    if (company === null) return notCompany(root);
    const from = dayOf(since);
    if (from === null) return 'the day of entry is no day, written YYYYMMDD';
    const partner = partnerOf(register, kind, name, document, country, fields[10] ?? '');
    if (partner === null) return 'the partner is neither a company, nor a masked person, nor a foreigner with a name';
    const code = qualification.padStart(2, '0');
    if (!directing.has(code)) addFact(register, partner, 'owns', company, from, Number.NaN);
    if (directing.has(code) || code === managingPartner)
      addFact(register, partner, 'directs', company, from, Number.NaN);
    const digits = visibleDigits(represents);
    if (digits !== null && digits !== '000000' && representative !== '') {
      const person = register.book.entityFor('individual', personId(digits, representative));
      addFact(register, person, 'represents', company, from, Number.NaN);
    }
    return null;
  },
};

function partnerOf(
  { book, bands }: Register,
  kind: string,
  name: string,
  document: string,
  country: string,
  band: string,
): number | null {
  if (kind === '1') {
    const root = companyRootOf(document);
    return root === null ? null : book.entityFor('company', root);
  }
  const digits = visibleDigits(document);
  if (kind === '2' && digits !== null && normalizeName(name) !== '') {
    const person = book.entityFor('individual', personId(digits, name));
    // 0 means that the age is not known.
    if (/^[1-9]$/.test(band)) bands.set(person, (bands.get(person) ?? new Set()).add(band));
    return person;
  }
  if (kind === '3' && normalizeName(name) !== '')
    return book.entityFor('other', `foreign ${country} ${normalizeName(name)}`);
  return null;
}

function companyOf({ book }: Register, root: string): number | null {
  return /^[0-9A-Z]{8}$/.test(root) ? book.entityFor('company', root) : null;
}

function notCompany(text: string): string {
  return `${text.slice(0, 20)} is no CNPJ: expected eight digits or capital letters`;
}

function toldOf({ told }: Register, company: number): Map<string, AttributeValue> {
  const known = told.get(company) ?? new Map<string, AttributeValue>();
  told.set(company, known);
  return known;
}

function tell(told: Map<string, AttributeValue>, name: keyof typeof attributes, text: string): void {
  if (text !== '') told.set(name, text);
}

function link(register: Register, company: number, relation: string, asset: string, from: number, to: number): void {
  addFact(register, company, relation, register.book.entityFor('asset', asset), from, to);
}

function addFact(
  { book, knownAt }: Register,
  subject: number,
  relation: string,
  object: number,
  from: number,
  to: number,
): void {
  if (subject === object) return;
  book.addFact({ subject, relation, object, from: endOf(from), to, weight: 1, knownAt }, 'lasting');
}

/** A date counts as known at the end of its day. */
function endOf(day: number): number {
  return day + microsecondsPerDay - 1;
}

/** Microseconds of a date like `20240131`; null for zeros, blanks and invalid dates. */
function dayOf(text: string): number | null {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (parts === null) return null;
  const iso = `${parts[1]}-${parts[2]}-${parts[3]}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : time * 1000;
}
