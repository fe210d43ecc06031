import { Document, isScalar, type Scalar } from 'yaml';
import type { ColumnContract, Contract, TableContract } from './contract.ts';
import { formatOffset } from './offset.ts';
import type { Path } from './yaml.ts';

/** What a remark is about. It is written at the end of the line that states it. */
export type NoteKind =
  | 'type'
  | 'key'
  | 'reference'
  | 'time'
  | 'missingValues'
  | 'knownFrom'
  | 'planned'
  | 'entityKind'
  | 'enum'
  | 'range'
  | 'format'
  | 'pii';
export type Note = {
  readonly table: string;
  readonly column: string | null;
  readonly kind: NoteKind;
  readonly text: string;
};

/**
 * Writes a contract as YAML of the Open Data Contract Standard 3.1; `parseContract` reads back the same contract.
 * `notes` become comments at the end of the lines they are about. A note about something not stated goes to the line of
 * the name.
 */
export function writeContract(contract: Contract, notes: readonly Note[] = []): string {
  const places = new Map<string, Path>();
  const place = (table: string, column: string | null, kind: string, path: Path): void => {
    places.set(JSON.stringify([table, column, kind]), path);
  };
  const document = new Document({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: contract.id,
    version: contract.version,
    status: 'active',
    ...(contract.timeZone !== undefined && {
      customProperties: [{ property: 'timeZone', value: contract.timeZone }],
    }),
    schema: contract.tables.map((table, i) => tableNode(table, ['schema', i], place)),
  });
  const stated = (...named: [table: string, column: string | null, kind: string]): Scalar | undefined => {
    const path = places.get(JSON.stringify(named));
    const node = path && document.getIn(path, true);
    return isScalar(node) ? node : undefined;
  };
  const comments = new Map<Scalar, string[]>();
  for (const note of notes) {
    const node = stated(note.table, note.column, note.kind) ?? stated(note.table, note.column, 'name');
    if (node === undefined) continue;
    // A comment must fit on one line.
    const text = note.text.replace(/\s+/g, ' ');
    comments.set(node, [...(comments.get(node) ?? []), text]);
  }
  for (const [node, lines] of comments) node.comment = ` ${lines.join('; ')}`;
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

type Place = (table: string, column: string | null, kind: NoteKind | 'name', path: Path) => void;
type Custom = { readonly property: string; readonly value: unknown };

function tableNode(table: TableContract, path: Path, place: Place): object {
  const custom: Custom[] = [];
  const at = (...rest: Path): Path => [...path, 'customProperties', custom.length, 'value', ...rest];
  if (table.time !== undefined) {
    const time = table.time;
    if (!('column' in time)) {
      place(table.name, null, 'time', at('reference'));
      custom.push({
        property: 'eventTime',
        value: { reference: time.reference, offset: formatOffset(time.offset) },
      });
    } else if (time.clock !== undefined) {
      place(table.name, null, 'time', at('column'));
      custom.push({ property: 'eventTime', value: { column: time.column, clock: time.clock } });
    } else {
      place(table.name, null, 'time', at());
      custom.push({ property: 'eventTime', value: time.column });
    }
  }
  if (table.knownAt !== undefined) custom.push({ property: 'knownAt', value: table.knownAt });
  if (table.entityKind !== undefined) {
    place(table.name, null, 'entityKind', at());
    custom.push({ property: 'entityKind', value: table.entityKind });
  }
  place(table.name, null, 'name', [...path, 'name']);
  return {
    name: table.name,
    ...(table.businessName !== undefined && { businessName: table.businessName }),
    ...(table.description !== undefined && { description: table.description }),
    ...(custom.length > 0 && { customProperties: custom }),
    properties: table.columns.map((column, i) => columnNode(table, column, [...path, 'properties', i], place)),
  };
}

function columnNode(table: TableContract, column: ColumnContract, path: Path, place: Place): object {
  const mark = (kind: NoteKind | 'name', ...rest: Path): void =>
    place(table.name, column.name, kind, [...path, ...rest]);
  mark('name', 'name');
  mark('type', 'logicalType');
  mark('key', 'primaryKey');
  mark('reference', 'relationships', 0, 'to');
  mark('range', 'logicalTypeOptions', column.minimum === undefined ? 'maximum' : 'minimum');
  mark('format', 'logicalTypeOptions', 'format');
  mark('pii', 'classification');
  mark('enum', 'quality', 0, 'metric');
  const position = table.key.indexOf(column.name);
  const relationships = table.references
    .filter((reference) => reference.column === column.name)
    .map((reference) => ({ to: `${reference.table}.${reference.key}` }));
  const { minimum, maximum, pattern, format, dateForm } = column;
  const options = {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(pattern !== undefined && { pattern }),
    ...(format !== undefined && { format: format === 'url' ? 'uri' : format }),
    ...(dateForm !== undefined && { format: dateForm }),
  };
  const custom: Custom[] = [];
  const add = (property: string, value: string | boolean | readonly string[] | undefined): void => {
    const at = ['customProperties', custom.length, 'value'];
    if (property === 'knownFrom' || property === 'planned') mark(property, ...at);
    if (property === 'missingValues') mark(property, ...at, 0);
    if (value !== undefined && value !== false) custom.push({ property, value });
  };
  add('decimalSeparator', column.decimalSeparator);
  add('unit', column.unit);
  add('missingValues', column.missingValues);
  add('aliases', column.aliases);
  add('knownFrom', column.knownFrom);
  add('planned', column.planned);
  add('mutable', column.mutable);
  add('graphKey', column.graphKey);
  return {
    name: column.name,
    logicalType: column.type,
    ...(position >= 0 && { primaryKey: true }),
    ...(position >= 0 && table.key.length > 1 && { primaryKeyPosition: position + 1 }),
    ...((column.required || position >= 0) && { required: column.required }),
    ...(column.unique && { unique: true }),
    ...(column.businessName !== undefined && { businessName: column.businessName }),
    ...(column.description !== undefined && { description: column.description }),
    ...(Object.keys(options).length > 0 && { logicalTypeOptions: options }),
    ...(relationships.length > 0 && { relationships }),
    ...(column.enum !== undefined && {
      quality: [{ metric: 'invalidValues', arguments: { validValues: column.enum.map(String) }, mustBe: 0 }],
    }),
    ...(column.pii && { classification: 'pii' }),
    ...(custom.length > 0 && { customProperties: custom }),
  };
}
