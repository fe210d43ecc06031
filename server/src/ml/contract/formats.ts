import type { ColumnFormat } from './contract.ts';

/** Whether a text is of a named format. `identifier`, `text` and `money` say how a column is used and hold for any text. */
export function isOfFormat(format: ColumnFormat, text: string): boolean {
  switch (format) {
    case 'cpf':
      return isCpf(text);
    case 'cnpj':
      return isCnpj(text);
    case 'email':
      return /^[^\s@<>"(),;:]{1,64}@[^\s@<>"(),;:]{1,190}\.[\p{L}\d-]{2,63}$/u.test(text);
    case 'phone':
      return isPhone(text);
    case 'url':
      return /^(?:https?|ftp):\/\/[^\s/]+(?:\/\S*)?$/i.test(text);
    case 'uuid':
      return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text);
    case 'identifier':
    case 'text':
    case 'money':
      return true;
  }
}

/** A Brazilian person's tax number: eleven digits, the last two check digits modulo 11 (Receita Federal). */
export function isCpf(text: string): boolean {
  if (!/^(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/.test(text)) return false;
  const digits = Array.from(text.replace(/\D/g, ''), Number);
  if (digits.every((digit) => digit === digits[0])) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += digits[i]! * (length + 1 - i);
    return ((sum * 10) % 11) % 10 === digits[length];
  });
}

/**
 * A Brazilian company's tax number, with letters since July 2026: twelve of A–Z and 0–9, each worth its code minus 48, and
 * two check digits modulo 11 (Receita Federal, Instrução Normativa 2.229/2024).
 */
export function isCnpj(text: string): boolean {
  const plain = text.toUpperCase();
  if (!/^(?:[\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/.test(plain)) return false;
  const values = Array.from(plain.replace(/[./-]/g, ''), (character) => character.charCodeAt(0) - 48);
  if (values.every((value) => value === values[0])) return false;
  return [12, 13].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += values[i]! * (2 + ((length - 1 - i) % 8));
    const rest = sum % 11;
    return (rest < 2 ? 0 : 11 - rest) === values[length];
  });
}

/** Digits in a telephone's number (ITU-T E.164: at most 15) with the usual signs between them, and at least one sign. */
function isPhone(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d\s().-]+$/.test(text) && digits >= 8 && digits <= 15;
}
