import { bareDocument } from '../../../lib/brazil-documents.ts';

const maskedDigits = 6;

/** A name normalised for comparison: capitals without accents, letters and digits only, single blanks. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim();
}

/** The six digits that the register shows of a CPF (the fourth to the ninth) from `***123456**`, or null. */
export function visibleDigits(masked: string): string | null {
  return /^\*{3}(\d{6})\*{2}$/.exec(masked)?.[1] ?? null;
}

/** The same six digits of a whole CPF, with or without punctuation; null for any other text. */
export function visibleDigitsOf(cpf: string): string | null {
  const digits = bareDocument(cpf);
  return /^\d{11}$/.test(digits) ? digits.slice(3, 3 + maskedDigits) : null;
}

/** The identifier of a person, which the register masks: the visible digits and the name. */
export function personId(digits: string, name: string): string {
  return `***${digits}**|${normalizeName(name)}`;
}

/**
 * The company part of a CNPJ: its first eight characters, digits or (since 2026) capital letters. Accepts all fourteen
 * characters or the eight alone, with or without punctuation. Null for any other text.
 */
export function companyRootOf(text: string): string | null {
  return /^([0-9A-Z]{8})([0-9A-Z]{4}\d{2})?$/.exec(bareDocument(text))?.[1] ?? null;
}
