import type { Schemas } from '@lastro/sdk';

export type Contract = Schemas['Contract'];

/** A contract as pages show it, read off its YAML: what the service has accepted is not checked once more. */
export type ContractDocument = {
  readonly version: string;
  /** The zone on whose clocks moments of the world are read; null for UTC. */
  readonly timeZone: string | null;
  readonly tables: readonly ContractTable[];
};

export type ContractTable = {
  readonly name: string;
  readonly businessName: string | null;
  readonly description: string | null;
  readonly entityKind: string | null;
  /** The column that dates a row, or how its date is found. */
  readonly eventTime: string | null;
  readonly knownAt: string | null;
  readonly columns: readonly ContractColumn[];
};

export type ContractColumn = {
  readonly name: string;
  readonly type: string;
  readonly businessName: string | null;
  readonly description: string | null;
  readonly isKey: boolean;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isPersonal: boolean;
  readonly isPlanned: boolean;
  readonly isMutable: boolean;
  readonly isGraphKey: boolean;
  readonly references: readonly { readonly table: string; readonly column: string }[];
  readonly values: readonly string[] | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly pattern: string | null;
  readonly format: string | null;
  readonly unit: string | null;
  readonly decimalSeparator: string | null;
  readonly knownFrom: string | null;
  readonly missingValues: readonly string[];
  readonly aliases: readonly string[];
};

/** Reads a contract. The reader of YAML is fetched by the first page that needs it. Throws what is no YAML. */
export async function readContract(document: string): Promise<ContractDocument> {
  const { parse } = await import('yaml');
  const root = mapOf(parse(document, { maxAliasCount: 100 }));
  return {
    version: textOf(root.version) ?? '',
    timeZone: textOf(customOf(root).timeZone),
    tables: listOf(root.schema).map(tableOf),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function tableOf(value: unknown): ContractTable {
  const fields = mapOf(value);
  const custom = customOf(fields);
  return {
    name: textOf(fields.name) ?? '',
    businessName: textOf(fields.businessName),
    description: textOf(fields.description),
    entityKind: textOf(custom.entityKind),
    eventTime: timeOf(custom.eventTime),
    knownAt: textOf(custom.knownAt),
    columns: listOf(fields.properties).map(columnOf),
  };
}

function columnOf(value: unknown): ContractColumn {
  const fields = mapOf(value);
  const custom = customOf(fields);
  const options = mapOf(fields.logicalTypeOptions);
  const classification = textOf(fields.classification)?.toLowerCase() ?? '';
  const isKey = fields.primaryKey === true;
  return {
    name: textOf(fields.name) ?? '',
    type: textOf(fields.logicalType) ?? '',
    businessName: textOf(fields.businessName),
    description: textOf(fields.description),
    isKey,
    isRequired: fields.required === undefined ? isKey : fields.required === true,
    isUnique: fields.unique === true,
    isPersonal: custom.pii === undefined ? /\b(pii|personal)\b/.test(classification) : custom.pii === true,
    isPlanned: custom.planned === true,
    isMutable: custom.mutable === true,
    isGraphKey: custom.graphKey === true,
    references: listOf(fields.relationships).flatMap((one) => referenceOf(mapOf(one).to)),
    values: valuesOf(fields.quality),
    minimum: numberOf(options.minimum),
    maximum: numberOf(options.maximum),
    pattern: textOf(options.pattern),
    format: textOf(options.format),
    unit: textOf(custom.unit),
    decimalSeparator: textOf(custom.decimalSeparator),
    knownFrom: textOf(custom.knownFrom),
    missingValues: listOf(custom.missingValues).map(String),
    aliases: listOf(custom.aliases).map(String),
  };
}

function timeOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const { column, clock, reference, offset } = mapOf(value);
  const from = textOf(column) ?? (reference === undefined ? null : `→ ${textOf(reference)}`);
  const more = textOf(clock) ?? textOf(offset);
  return from && more && !/^[+-]?0\D*$/.test(more) ? `${from} + ${more}` : from;
}

/** `table.column`; names may have dots, of which the last one parts them. */
function referenceOf(to: unknown): { table: string; column: string }[] {
  const text = textOf(to);
  const at = text?.lastIndexOf('.') ?? -1;
  return text && at > 0 ? [{ table: text.slice(0, at), column: text.slice(at + 1) }] : [];
}

function valuesOf(quality: unknown): readonly string[] | null {
  for (const rule of listOf(quality)) {
    const { validValues } = mapOf(mapOf(rule).arguments);
    if (Array.isArray(validValues)) return validValues.map(String);
  }
  return null;
}

function customOf({ customProperties }: Fields): Fields {
  return Object.fromEntries(
    listOf(customProperties).flatMap((one) => {
      const { property, value } = mapOf(one);
      return typeof property === 'string' ? [[property, value]] : [];
    }),
  );
}

const mapOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null;
