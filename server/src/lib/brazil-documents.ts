/**
 * Brazilian registry numbers: the CPF of a person has eleven digits. The CNPJ of a company has twelve characters and
 * two digits; the characters are digits or, in numbers issued from July 2026, also capital letters (Instrução Normativa
 * RFB 2.229/2024).
 *
 * The last two characters of both are check digits by Receita Federal's modulo 11. With r the weighted sum of the
 * characters before the digit, modulo 11, the digit is 0 when r < 2 and 11 − r otherwise. The last character has weight
 * 2; weights grow by one towards the front, and start again at 2 after as many characters as the constants below say. A
 * character counts as its code minus 48: a digit as its value, the letters A to Z as 17 to 42.
 */
const cpfWeights = 10;
const cnpjWeights = 8;

/**
 * Whether a text is a CPF with correct check digits, with or without punctuation. CPFs of equal digits are never
 * issued.
 */
export function isCpf(text: string): boolean {
  return /^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/.test(text) && isIssued(bareDocument(text), cpfWeights);
}

/** Whether a text is a CNPJ with correct check digits, with or without punctuation, in capital or small letters. */
export function isCnpj(text: string): boolean {
  const form = /^(?:[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
  return form.test(text) && isIssued(bareDocument(text), cnpjWeights);
}

/** Whether a text is punctuated as a CPF or CNPJ and is none, since its check digits are wrong. */
export function isMistypedDocument(text: string): boolean {
  const form = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/i;
  return form.test(text) && !isCpf(text) && !isCnpj(text);
}

/** The number without punctuation and blanks, in capital letters. */
export function bareDocument(text: string): string {
  return text.replace(/[./\-\s]/g, '').toUpperCase();
}

const punctuations = ['000.000.000-00', '00.000.000/0000-00'];

/**
 * The ways in which a text may be written that is a CPF or CNPJ, or the beginning of one: as it is, without
 * punctuation, and with that of each. Other texts are written as they are.
 */
export function documentSpellings(text: string): string[] {
  const bare = bareDocument(text);
  if (bare === '') return [text];
  const punctuated = punctuations.map((places) => punctuate(bare, places)).filter((one) => one !== null);
  const isOne = text.toUpperCase() === bare || punctuated.some((one) => one.startsWith(text.trim().toUpperCase()));
  return isOne ? [...new Set([text, bare, ...punctuated])] : [text];
}

/** A bare document, or the beginning of one, with the punctuation of its places; null where it has more than they. */
function punctuate(bare: string, places: string): string | null {
  // Of a CNPJ all but the check digits may be letters.
  const form = places.length === 14 ? /^\d{1,11}$/ : /^(?:[\dA-Z]{1,12}|[\dA-Z]{12}\d{1,2})$/;
  if (!form.test(bare)) return null;
  let at = 0;
  let written = '';
  for (const place of places) {
    if (at === bare.length) break;
    written += place === '0' ? bare[at++] : place;
  }
  return written;
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

/** The stem followed by its two check digits. The second is computed over the stem and the first. */
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
