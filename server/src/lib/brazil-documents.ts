/**
 * Brazilian registry numbers: the CPF of a person (eleven digits) and the CNPJ of a company (twelve digits or, in those
 * issued from July 2026, capital letters, and two digits; Instrução Normativa RFB 2.229/2024).
 *
 * The last two characters of both are check digits, Receita Federal's modulo 11: the weighted sum of the characters
 * before the digit leaves r of a division by 11; the digit is 0 when r < 2 and 11 − r otherwise. Weights count from 2
 * at the last character backwards, and begin again after so many. A character weighs in with its code minus 48: digits
 * with their value, letters with 17 for A to 42 for Z.
 */
const cpfWeights = 10;
const cnpjWeights = 8;

/** Whether a text is a CPF with right check digits, with or without its punctuation. Equal digits are never issued. */
export function isCpf(text: string): boolean {
  return /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/.test(text) && isIssued(bareDocument(text), cpfWeights);
}

/** Whether a text is a CNPJ with right check digits, with or without its punctuation, letters capital or small. */
export function isCnpj(text: string): boolean {
  const form = /^(?:[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
  return form.test(text) && isIssued(bareDocument(text), cnpjWeights);
}

/** A number without its punctuation and blanks, letters capital. */
export function bareDocument(text: string): string {
  return text.replace(/[./\-\s]/g, '').toUpperCase();
}

/**
 * The CPF whose first nine digits are `base`, punctuated: `529.982.247-25`.
 * base: integer in [0, 999,999,999] whose nine digits are not all equal (such numbers are never issued).
 */
export function cpfFrom(base: number): string {
  if (!Number.isInteger(base) || base < 0 || base > 999_999_999) throw new RangeError('a CPF base has nine digits');
  const whole = complete(String(base).padStart(9, '0'), cpfWeights);
  if (hasOneCharacter(whole)) throw new RangeError('a CPF of nine equal digits is never issued');
  return `${whole.slice(0, 3)}.${whole.slice(3, 6)}.${whole.slice(6, 9)}-${whole.slice(9)}`;
}

/**
 * The CNPJ of an establishment, punctuated: `11.222.333/0001-81`, `12.ABC.345/01DE-35`.
 * root: eight characters, digits or capital letters. branch: four of the same; the head office is 0001.
 */
export function cnpjFrom(root: string, branch = '0001'): string {
  const stem = root + branch;
  if (!/^[0-9A-Z]{8}[0-9A-Z]{4}$/.test(stem))
    throw new RangeError('a CNPJ has a root of 8 and a branch of 4 characters');
  const whole = complete(stem, cnpjWeights);
  if (hasOneCharacter(whole)) throw new RangeError('a CNPJ of equal characters is never issued');
  return `${whole.slice(0, 2)}.${whole.slice(2, 5)}.${whole.slice(5, 8)}/${whole.slice(8, 12)}-${whole.slice(12)}`;
}

function isIssued(bare: string, weights: number): boolean {
  return !hasOneCharacter(bare) && complete(bare.slice(0, -2), weights) === bare;
}

/** The stem followed by its two check digits; the second counts the first. */
function complete(stem: string, weights: number): string {
  const first = stem + checkDigit(stem, weights);
  return first + checkDigit(first, weights);
}

function checkDigit(text: string, weights: number): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum += (text.charCodeAt(at) - 48) * (2 + ((text.length - 1 - at) % weights));
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function hasOneCharacter(text: string): boolean {
  return text === text[0]?.repeat(text.length);
}
