import type { Schemas } from '@lastro/sdk';
import { typeInPortuguese } from '../words/row-reasons.ts';

type Values = NonNullable<Schemas['Deviation']['values']>;

/**
 * What a file does otherwise than the contract, in Portuguese, by the rule; in English it stands in the answer. What the
 * reader of a file says of it is not here: the service alone has it.
 */
export const deviationsInPortuguese: Readonly<Record<string, (values: Values) => string>> = {
  missing_column: () => 'o arquivo não tem essa coluna',
  unknown_column: ({ isReserved, type }) =>
    isReserved
      ? 'o nome é reservado; dê outro nome à coluna'
      : `o contrato não conhece essa coluna (seus valores se leem como ${type})`,
  renamed_column: (values) => `o arquivo parece tê-la como ${values.name}: ${evidenceOf(values)}`,
  changed_type: ({ from, to, forms }) =>
    `é ${from} no contrato e no arquivo se lê como ${to}${listOf(forms).length > 0 ? `; são esperados valores como ${either(forms)}` : ''}`,
  new_values: ({ count }) =>
    count === 1 ? 'há um valor que o contrato não lista' : `há ${count} valores que o contrato não lista`,
  unknown_table: ({ table, tables }) => `o contrato não tem a tabela ${table}; ele tem ${listOf(tables).join(', ')}`,
  no_key: ({ table }) =>
    `${table} não tem chave, então suas linhas não se distinguem: acrescente ou substitua as linhas`,
  reserved_name: ({ table }) =>
    table === undefined ? 'o nome é reservado; dê outro nome à coluna' : 'o nome é reservado; mude-o no contrato',
  wrong_type: ({ type, forms, isAbsent }) =>
    `não é ${typeInPortuguese(type)}${listOf(forms).length > 0 ? `, como ${either(forms)}` : ''}${isAbsent ? ': liste o texto em missingValues do contrato, se ele diz que não há valor' : ''}`,
  missing_value: () => 'o valor falta e é obrigatório',
  duplicate_key: ({ isInFile, knownAt }) =>
    isInFile
      ? 'já está em uma linha anterior'
      : knownAt === undefined
        ? 'já está nos dados com outros valores: envie as linhas mudadas no modo “adicionar ou renovar”, e os novos valores são conhecidos a partir de agora, ou a tabela inteira no modo “substituir”, e são conhecidos com as suas linhas'
        : `já está nos dados com outros valores e o mesmo ${knownAt}: uma linha mudada precisa de um posterior`,
  duplicate_value: () => 'já está em uma linha anterior',
  not_allowed: ({ allowed, isMore }) =>
    `o contrato permite ${listOf(allowed).join(', ')}${isMore ? ', …' : ''}; se estes valores estão certos, acrescente-os aos validValues da coluna em um novo contrato`,
  below_minimum: ({ minimum }) => `são esperados valores de no mínimo ${minimum}`,
  above_maximum: ({ maximum }) => `são esperados valores de no máximo ${maximum}`,
  wrong_pattern: ({ pattern }) => `não corresponde a ${pattern}`,
  wrong_format: ({ format }) => `não é um ${format} válido`,
  dangling_reference: ({ table }) => `não é chave de ${table}`,
  in_future: () => 'a data está no futuro, e a coluna não é de data prevista',
  before_1900: () => 'a data é anterior a 1900',
};

/** Rules of which a reader of files tells too, who says no values. */
const withValues: ReadonlySet<string> = new Set(['wrong_type']);

/** A deviation in Portuguese; null where the service alone can say it, or said it before values were told. */
export function sayDeviation(rule: string, values: Values | undefined): string | null {
  if (!values || (withValues.has(rule) && Object.keys(values).length === 0)) return null;
  return deviationsInPortuguese[rule]?.(values) ?? null;
}

function evidenceOf({ by, percent, rows, table }: Values): string {
  switch (by) {
    case 'rows':
      return `igual em ${percent} % de ${rows} linhas conhecidas`;
    case 'keys':
      return `${percent} % dos valores são chaves de ${table}`;
    case 'frequencies':
      return 'seus valores aparecem com a mesma frequência';
    case 'spread':
      return 'seus valores se distribuem do mesmo modo';
    default:
      return 'tem os mesmos valores';
  }
}

function listOf(value: Values[string] | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}

const either = (forms: Values[string] | undefined): string => listOf(forms).join(' ou ');
