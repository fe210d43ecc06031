/**
 * Brazilian registry numbers: CPF of a person, CNPJ of a company, both with their check digits.
 *
 * Check digits are Receita Federal's modulo 11: the weighted sum of the characters before the digit, remainder r of the
 * division by 11, digit 0 when r < 2 and 11 − r otherwise. A character weighs in with its ASCII code minus 48, so the
 * digits keep their value and the letters of the alphanumeric CNPJ (Instrução Normativa RFB 2.229/2024, issued from
 * July 2026: twelve letters or digits and two check digits) count from 17 for A to 42 for Z.
 */

const cpfWeights: readonly (readonly number[])[] = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
];
const cnpjWeights: readonly (readonly number[])[] = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
];

/**
 * The CPF whose first nine digits are `base`, punctuated: `529.982.247-25`.
 * base: integer in [0, 999,999,999] whose nine digits are not all equal (such numbers are never issued).
 */
export function cpfFrom(base: number): string {
  if (!Number.isInteger(base) || base < 0 || base > 999_999_999) throw new RangeError('a CPF base has nine digits');
  const stem = String(base).padStart(9, '0');
  const whole = complete(stem, cpfWeights);
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

/** Whether `text` is a CPF with right check digits, with or without its punctuation. */
export function isCpf(text: string): boolean {
  if (!/^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/.test(text)) return false;
  const bare = text.replace(/\D/g, '');
  return !hasOneCharacter(bare) && complete(bare.slice(0, 9), cpfWeights) === bare;
}

/** Whether `text` is a CNPJ, numeric or alphanumeric, with right check digits, with or without its punctuation. */
export function isCnpj(text: string): boolean {
  if (!/^([0-9A-Z]{12}\d{2}|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2})$/.test(text)) return false;
  const bare = text.replace(/[./-]/g, '');
  return !hasOneCharacter(bare) && complete(bare.slice(0, 12), cnpjWeights) === bare;
}

/** The stem followed by its two check digits; the second counts the first. */
function complete(stem: string, weights: readonly (readonly number[])[]): string {
  return weights.reduce((text, row) => text + checkDigit(text, row), stem);
}

function checkDigit(text: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, at) => total + weight * (text.charCodeAt(at) - 48), 0);
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}

function hasOneCharacter(text: string): boolean {
  return text === text[0]?.repeat(text.length);
}
