/**
 * CPF of people and CNPJ of companies as texts. Since July 2026 a CNPJ may have capital letters in its first twelve
 * places (IN RFB 2.229/2024); a letter counts as its code minus 48, as digits do.
 */
export type DocumentKind = 'cpf' | 'cnpj';

/** The characters that count: digits and capital letters. */
export const bare = (text: string): string => text.replace(/[^0-9a-z]/gi, '').toUpperCase();

/** Which document a text is, with right check digits; null where it is none. Punctuation may be there or not. */
export function documentKind(text: string): DocumentKind | null {
  if (text.length > 30 || /[^0-9a-z./\-\s]/i.test(text)) return null;
  const plain = bare(text);
  if (/^\d{11}$/.test(plain) && hasRightDigits(plain, 10)) return 'cpf';
  if (/^[0-9A-Z]{12}\d{2}$/.test(plain) && hasRightDigits(plain, 8)) return 'cnpj';
  return null;
}

/** Whether a text is punctuated as a document and is none, since its check digits are wrong. */
export function isMistyped(text: string): boolean {
  const form = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
  return form.test(text) && documentKind(text) === null;
}

/** By Receita Federal's modulo 11: weights from 2 grow towards the front, and start again after `span` characters. */
function hasRightDigits(plain: string, span: number): boolean {
  if (plain === plain[0].repeat(plain.length)) return false;
  const stem = plain.slice(0, -2);
  const first = checkDigit(stem, span);
  return plain.endsWith(`${first}${checkDigit(stem + first, span)}`);
}

function checkDigit(text: string, span: number): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += (text.charCodeAt(at) - 48) * (2 + ((text.length - 1 - at) % span));
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

const places = { cpf: '000.000.000-00', cnpj: '00.000.000/0000-00' } as const;

/** As much of a document as there is, with its punctuation: while somebody types, too. */
export function punctuated(text: string, kind: DocumentKind): string {
  const plain = bare(text);
  let said = '';
  let at = 0;
  for (const place of places[kind]) {
    if (at >= plain.length) break;
    said += place === '0' ? plain[at++] : place;
  }
  return said;
}

/** `•••.482.117-••`: what tells two people apart on a page, and names neither. */
export function maskedCpf(text: string): string {
  const plain = bare(text);
  return `•••.${plain.slice(3, 6)}.${plain.slice(6, 9)}-••`;
}

/** A text as pages show it that need not name people: a CPF masked, one with wrong check digits too. */
export function withoutPerson(text: string): string {
  const isCpf = documentKind(text) === 'cpf' || (isMistyped(text) && bare(text).length === 11);
  return isCpf ? maskedCpf(text) : text;
}

/** A value of JSON in which each text that is a CPF is masked. */
export function withoutCpf(value: unknown): unknown {
  if (typeof value === 'string') return documentKind(value) === 'cpf' ? maskedCpf(value) : value;
  if (Array.isArray(value)) return value.map(withoutCpf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutCpf(one)]));
  return value;
}

/** Whether a value of JSON has a CPF in it. */
export function hasCpf(value: unknown): boolean {
  return JSON.stringify(withoutCpf(value)) !== JSON.stringify(value);
}
