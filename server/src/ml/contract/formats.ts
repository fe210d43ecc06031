import { isCnpj, isCpf } from '../../lib/brazil-documents.ts';
import type { ColumnFormat } from './contract.ts';

/** The formats that not every text has. */
export type CheckedFormat = Exclude<ColumnFormat, 'identifier' | 'text' | 'money'>;

const checkedFormats: readonly CheckedFormat[] = ['cpf', 'cnpj', 'email', 'phone', 'url', 'uuid'];

/** Which of these a field has; undefined of any other format. */
export const checkedFormat = (format: string | undefined): CheckedFormat | undefined =>
  checkedFormats.find((one) => one === format);

/**
 * Whether a text has a named format. `identifier`, `text` and `money` only say how a column is used, so any text has
 * them.
 */
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

/** Whether a text is a telephone number: 8 to 15 digits (ITU-T E.164 allows at most 15) with the usual punctuation. */
function isPhone(text: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(text)) return false;
  const digits = text.replace(/\D/g, '').length;
  return /^\+?[\d\s().-]+$/.test(text) && digits >= 8 && digits <= 15;
}
