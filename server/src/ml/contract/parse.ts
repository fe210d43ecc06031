import { Failure } from '../../lib/failure.ts';
import type { LogicalType } from '../../lib/files/column.ts';
import { dateForms } from '../../lib/files/date-forms.ts';
import { didYouMean, nearestWord } from '../../lib/nearest-word.ts';
import { isTimeZone } from '../../lib/time-zone.ts';
import {
  type ColumnContract,
  type ColumnFormat,
  type Contract,
  type EntityKind,
  type EventTime,
  type Reference,
  type TableContract,
  withTimeZone,
} from './contract.ts';
import { parseOffset } from './offset.ts';
import { validateContract } from './validate.ts';
import { type Path, type Reading, readFields, readYaml, requireText } from './yaml.ts';

const logicalTypes: readonly LogicalType[] = ['string', 'integer', 'number', 'boolean', 'date', 'timestamp', 'time'];
const entityKinds: readonly EntityKind[] = ['company', 'individual', 'asset', 'event', 'other'];
const formats: readonly ColumnFormat[] = [
  'cpf',
  'cnpj',
  'email',
  'phone',
  'url',
  'uuid',
  'identifier',
  'text',
  'money',
];
/** Most characters of a contract. */
export const contractTextMax = 5_000_000;

/**
 * Reads a data contract: the declared subset of the Open Data Contract Standard 3.1 in YAML (or JSON).
 * `file` names the text in messages. Descriptive fields of the standard are accepted and not kept.
 * Throws: Failure 'invalid' with one problem per mistake, each with line and path, in order of line.
 */
export function parseContract(text: string, file: string): Contract {
  return parse(text, file, false);
}

/**
 * Reads a contract that was accepted when it was stored. Patterns that can be used no longer stay in it: they are
 * refused when values are held against them, and all else goes on. Throws as `parseContract`.
 */
export function parseStoredContract(text: string, file: string): Contract {
  return parse(text, file, true);
}

function parse(text: string, file: string, allowsAnyPattern: boolean): Contract {
  if (text.length > contractTextMax) {
    throw new Failure('invalid', `${file} is longer than ${contractTextMax} characters: not a data contract.`);
  }
  const reading = readYaml(text);
  const contract = reading.problems().length === 0 ? readContract(reading) : null;
  if (contract !== null) {
    for (const { path, message } of validateContract(contract, allowsAnyPattern)) reading.problem(path, message);
  }
  const problems = reading.problems();
  if (contract === null || problems.length > 0) {
    const [first] = problems;
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    throw new Failure('invalid', `${file} is not a valid data contract: ${first?.at}: ${first?.message}${more}`, {
      problems,
    });
  }
  return contract;
}

function readContract(reading: Reading): Contract {
  const fields = readFields(reading, reading.value, [], {
    apiVersion: 'string',
    kind: 'string',
    id: 'string',
    version: 'string',
    status: 'string',
    schema: 'list',
    name: 'any',
    description: 'any',
    domain: 'any',
    tenant: 'any',
    dataProduct: 'any',
    tags: 'any',
    customProperties: 'list',
  });
  const custom = readCustom(reading, fields.customProperties, ['customProperties'], { timeZone: 'string' });
  if (fields.kind !== 'DataContract') reading.problem(['kind'], 'must be DataContract');
  if (fields.apiVersion !== undefined && !/^v3\.\d+\.\d+$/.test(fields.apiVersion)) {
    reading.problem(['apiVersion'], `is ${fields.apiVersion}; read here: v3.x.x, best v3.1.0`);
  }
  const schema = fields.schema ?? [];
  const names = schema.map((table) => (isNamed(table) ? table.name : ''));
  const contract = {
    id: requireText(reading, fields.id, ['id']),
    version: requireText(reading, fields.version, ['version']),
    tables: schema.map((table, i) => readTable(reading, table, ['schema', i], names)),
  };
  return withTimeZone(contract, custom.timeZone && readTimeZone(reading, custom.timeZone));
}

function readTimeZone(reading: Reading, { value, path }: { readonly value: unknown; readonly path: Path }): string {
  const zone = String(value);
  if (!isTimeZone(zone)) reading.problem(path, `${zone} is no time zone: name one such as America/Sao_Paulo, or UTC`);
  return zone;
}

function isNamed(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

function readTable(reading: Reading, value: unknown, path: Path, tableNames: readonly string[]): TableContract {
  const fields = readFields(reading, value, path, {
    name: 'string',
    description: 'string',
    customProperties: 'list',
    properties: 'list',
    physicalName: 'any',
    physicalType: 'any',
    logicalType: 'any',
    businessName: 'string',
    dataGranularityDescription: 'any',
    tags: 'any',
  });
  const custom = readCustom(reading, fields.customProperties, [...path, 'customProperties'], {
    eventTime: 'any',
    knownAt: 'string',
    entityKind: 'string',
  });
  const properties = (fields.properties ?? []).map((property, i) =>
    readColumn(reading, property, [...path, 'properties', i], tableNames),
  );
  const eventTime = custom.eventTime && readEventTime(reading, custom.eventTime.value, custom.eventTime.path);
  const kind = custom.entityKind;
  if (kind && !entityKinds.some((known) => known === kind.value)) {
    reading.problem(kind.path, { code: 'no_entity_kind', name: String(kind.value), known: entityKinds });
  }
  return {
    name: requireText(reading, fields.name, [...path, 'name']),
    ...(fields.description !== undefined && { description: fields.description }),
    ...(fields.businessName && { businessName: fields.businessName }),
    key: properties
      .filter((property) => property.keyPosition !== null)
      .sort((a, b) => a.keyPosition! - b.keyPosition!)
      .map((property) => property.column.name),
    references: properties.flatMap((property) => property.references),
    ...(eventTime && { time: eventTime }),
    ...(custom.knownAt && { knownAt: String(custom.knownAt.value) }),
    ...(kind && { entityKind: kind.value as EntityKind }),
    columns: properties.map((property) => property.column),
  };
}

type Custom<S> = { [K in keyof S]?: { readonly value: unknown; readonly path: Path } };

/** Reads custom properties by name, from `[{ property, value }]` as in the standard. */
function readCustom<S extends Record<string, 'string' | 'boolean' | 'any'>>(
  reading: Reading,
  list: unknown[] | undefined,
  path: Path,
  shape: S,
): Custom<S> {
  const found: Custom<S> = {};
  for (const [i, item] of (list ?? []).entries()) {
    const at = [...path, i];
    const { property, value } = readFields(reading, item, at, { property: 'string', value: 'any', description: 'any' });
    if (property === undefined) reading.problem(at, 'needs a property and a value');
    else if (!Object.hasOwn(shape, property)) {
      reading.problem(
        [...at, 'property'],
        `unknown property ${property}; known: ${Object.keys(shape).join(', ')}${didYouMean(property, Object.keys(shape))}`,
      );
    } else if (found[property] !== undefined) reading.problem(at, `${property} is given twice`);
    else if (value === undefined) reading.problem(at, 'needs a value');
    else if (shape[property] !== 'any' && typeof value !== shape[property]) {
      const kind = shape[property] === 'boolean' ? 'true or false' : 'text';
      reading.problem([...at, 'value'], `must be ${kind}`);
    } else found[property as keyof S] = { value, path: [...at, 'value'] };
  }
  return found;
}

function readEventTime(reading: Reading, value: unknown, path: Path): EventTime | undefined {
  if (typeof value === 'string') return { column: value };
  const fields = readFields(reading, value, path, {
    column: 'string',
    clock: 'string',
    reference: 'string',
    offset: 'string',
  });
  if (fields.column !== undefined && fields.reference === undefined && fields.offset === undefined) {
    return { column: fields.column, ...(fields.clock !== undefined && { clock: fields.clock }) };
  }
  if (fields.reference !== undefined && fields.column === undefined && fields.clock === undefined) {
    const offset = fields.offset === undefined ? 0 : parseOffset(fields.offset);
    if (offset === null) reading.problem([...path, 'offset'], `${fields.offset} is not a span such as -1d, 6h or 90m`);
    return { reference: fields.reference, offset: offset ?? 0 };
  }
  reading.problem(path, 'must be a column name, { column, clock } or { reference, offset: "-1d" }');
  return undefined;
}

type Property = {
  readonly column: ColumnContract;
  readonly keyPosition: number | null;
  readonly references: readonly Reference[];
};

function readColumn(reading: Reading, value: unknown, path: Path, tableNames: readonly string[]): Property {
  const fields = readFields(reading, value, path, {
    name: 'string',
    logicalType: 'string',
    primaryKey: 'boolean',
    primaryKeyPosition: 'number',
    required: 'boolean',
    unique: 'boolean',
    description: 'string',
    logicalTypeOptions: 'map',
    relationships: 'list',
    quality: 'list',
    classification: 'string',
    customProperties: 'list',
    physicalType: 'any',
    businessName: 'string',
    examples: 'any',
    tags: 'any',
  });
  const custom = readCustom(reading, fields.customProperties, [...path, 'customProperties'], {
    knownFrom: 'string',
    planned: 'boolean',
    mutable: 'boolean',
    pii: 'boolean',
    unit: 'string',
    graphKey: 'boolean',
    missingValues: 'any',
    aliases: 'any',
    decimalSeparator: 'string',
  });
  const name = requireText(reading, fields.name, [...path, 'name']);
  const type = logicalTypes.find((known) => known === fields.logicalType);
  if (type === undefined) {
    const name = fields.logicalType ?? null;
    reading.problem([...path, 'logicalType'], { code: 'no_column_type', name, known: logicalTypes });
  }
  const isKey = fields.primaryKey === true;
  if (fields.primaryKeyPosition !== undefined && !isKey && fields.primaryKeyPosition !== -1) {
    reading.problem([...path, 'primaryKeyPosition'], 'stands on a column that is not primaryKey');
  }
  const values = readEnum(reading, fields.quality, [...path, 'quality']);
  const missing =
    custom.missingValues && readTexts(reading, custom.missingValues.value, custom.missingValues.path, '["?", "NA"]');
  const aliases = custom.aliases && readTexts(reading, custom.aliases.value, custom.aliases.path, '["sum_total"]');
  return {
    column: {
      name,
      type: type ?? 'string',
      ...(fields.description !== undefined && { description: fields.description }),
      ...(fields.businessName && { businessName: fields.businessName }),
      required: fields.required ?? isKey,
      unique: fields.unique ?? false,
      ...(values !== undefined && { enum: values }),
      ...readOptions(reading, fields.logicalTypeOptions, [...path, 'logicalTypeOptions'], type),
      ...readDecimalSeparator(reading, custom.decimalSeparator, type),
      ...(custom.unit && { unit: String(custom.unit.value) }),
      ...(missing && { missingValues: missing }),
      ...(aliases && { aliases }),
      ...(custom.knownFrom && { knownFrom: String(custom.knownFrom.value) }),
      planned: custom.planned?.value === true,
      mutable: custom.mutable?.value === true,
      pii: custom.pii ? custom.pii.value === true : isPersonal(reading, fields.classification, path),
      ...(custom.graphKey?.value === true && { graphKey: true }),
    },
    keyPosition: isKey ? (fields.primaryKeyPosition ?? 1) : null,
    references: (fields.relationships ?? []).flatMap((relationship, i) =>
      readRelationship(reading, relationship, [...path, 'relationships', i], name, tableNames),
    ),
  };
}

function readDecimalSeparator(
  reading: Reading,
  given: { readonly value: unknown; readonly path: Path } | undefined,
  type: LogicalType | undefined,
): Pick<ColumnContract, 'decimalSeparator'> {
  if (given === undefined || given.value === '.') return {};
  if (given.value !== ',') reading.problem(given.path, 'must be "," or ".", as numbers have it if nothing is said');
  else if (type !== undefined && type !== 'number' && type !== 'integer')
    reading.problem(given.path, `is of numbers and integers, and does not apply to a ${type}`);
  return { decimalSeparator: ',' };
}

/** Words of classifications: those of personal data, and others that say nothing of it. */
const personalWords: readonly string[] = ['pii', 'personal'];
const otherWords: readonly string[] = ['public', 'internal', 'confidential', 'restricted'];

/** Whether a column is personal by its classification. A word that is not known may have meant that it is. */
function isPersonal(reading: Reading, classification: string | undefined, path: Path): boolean {
  const word = classification?.toLowerCase();
  if (word === undefined || otherWords.includes(word)) return false;
  if (!personalWords.includes(word))
    reading.problem(
      [...path, 'classification'],
      `${classification} is not known: ${personalWords.join(' or ')} for personal data, or ${otherWords.join(', ')}`,
    );
  return true;
}

/**
 * Reads a list of texts, such as those that stand for a missing value. Values other than texts are refused: YAML would
 * write them in another form than the file does (`-1.0`, `null`).
 */
function readTexts(reading: Reading, value: unknown, path: Path, example: string): string[] | undefined {
  if (!Array.isArray(value)) {
    reading.problem(path, `must be a list of texts such as ${example}`);
    return undefined;
  }
  for (const [i, text] of value.entries()) {
    if (typeof text !== 'string') reading.problem([...path, i], `must be a text: put ${String(text)} in quotes`);
  }
  return value.filter((text) => typeof text === 'string');
}

function readOptions(
  reading: Reading,
  value: unknown,
  path: Path,
  type: LogicalType | undefined,
): Partial<ColumnContract> {
  if (value === undefined) return {};
  const fields = readFields(reading, value, path, {
    minimum: 'number',
    maximum: 'number',
    pattern: 'string',
    format: 'string',
  });
  // The standard calls web addresses `uri`.
  const named = fields.format === 'uri' ? 'url' : fields.format;
  const dateForm = dateForms.find((known) => known === named);
  const format = formats.find((known) => known === named);
  const isDated = type === 'date' || type === 'timestamp';
  const at = [...path, 'format'];
  if (named !== undefined && isDated && dateForm === undefined)
    reading.problem(
      at,
      `${named} is no form of a ${type}; known: ${dateForms.join(', ')}, the first three also with . or - for /; ISO 8601 such as 2024-12-31 is read without any`,
    );
  else if (dateForm !== undefined && !isDated)
    reading.problem(
      at,
      `${dateForm} is the form of a date or timestamp, and does not apply to a ${type ?? 'column without a type'}`,
    );
  else if (named !== undefined && dateForm === undefined && format === undefined)
    reading.problem(at, `unknown format ${named}; known: ${formats.join(', ')}`);
  return {
    ...(fields.minimum !== undefined && { minimum: fields.minimum }),
    ...(fields.maximum !== undefined && { maximum: fields.maximum }),
    ...(fields.pattern !== undefined && { pattern: fields.pattern }),
    ...(format !== undefined && { format }),
    ...(dateForm !== undefined && { dateForm }),
  };
}

/** Reads the allowed values in `quality: [{ metric: invalidValues, arguments: { validValues }, mustBe: 0 }]`. */
function readEnum(reading: Reading, rules: unknown[] | undefined, path: Path): string[] | undefined {
  let values: string[] | undefined;
  for (const [i, rule] of (rules ?? []).entries()) {
    const at = [...path, i];
    const fields = readFields(reading, rule, at, {
      metric: 'string',
      arguments: 'map',
      mustBe: 'number',
      type: 'any',
      description: 'any',
    });
    if (fields.metric !== 'invalidValues' || (fields.mustBe ?? 0) !== 0) {
      reading.problem(at, 'the one rule read here is metric: invalidValues with arguments.validValues and mustBe: 0');
      continue;
    }
    const argumentsAt = [...at, 'arguments'];
    const { validValues } = readFields(reading, fields.arguments, argumentsAt, { validValues: 'list' });
    if (values !== undefined) reading.problem(at, 'allowed values are given twice');
    values = [];
    for (const [j, value] of (validValues ?? []).entries()) {
      if (typeof value === 'object') reading.problem([...argumentsAt, 'validValues', j], 'must be a single value');
      else values.push(String(value));
    }
    if (values.length === 0) reading.problem(argumentsAt, 'validValues is empty');
  }
  return values;
}

function readRelationship(
  reading: Reading,
  value: unknown,
  path: Path,
  column: string,
  tableNames: readonly string[],
): Reference[] {
  const fields = readFields(reading, value, path, { to: 'string', type: 'any', description: 'any' });
  const to = fields.to;
  if (to === undefined) {
    reading.problem([...path, 'to'], 'is missing: write table.column');
    return [];
  }
  // Table names may contain dots: the table is the longest known name that is followed by a dot.
  const table = tableNames
    .filter((name) => name !== '' && to.startsWith(`${name}.`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), '');
  const key = table === '' ? '' : to.slice(table.length + 1);
  if (key !== '') return [{ column, table, key }];
  const dot = to.indexOf('.');
  if (dot <= 0) reading.problem([...path, 'to'], { code: 'no_reference_form', name: to });
  else {
    const name = to.slice(0, dot);
    reading.problem([...path, 'to'], { code: 'no_such_table', name, meant: nearestWord(name, tableNames) });
  }
  return [];
}
