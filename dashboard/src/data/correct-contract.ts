import { type Document, isMap, isScalar, isSeq, parseDocument, visit, type YAMLMap } from 'yaml';
import { type ColumnField, type Correction, dateForms, isDated, isNumeric } from './corrections.ts';

/**
 * A contract with corrections written into its text: comments, order and all that is not corrected stay. The comment at
 * the end of a line told of the value that is replaced, and goes with it, as do rules that the new type of a column
 * cannot have. Null where the text has aliases, by which one place of it is another one too.
 */
export function correctContract(text: string, corrections: readonly Correction[]): string | null {
  const document = parseDocument(text);
  let hasAlias = false;
  visit(document, {
    Alias: () => {
      hasAlias = true;
      return visit.BREAK;
    },
  });
  if (hasAlias) return null;
  // Types come first: they take rules away that other corrections may give.
  for (const one of corrections.toSorted((a, b) => Number(b.field === 'type') - Number(a.field === 'type'))) {
    const table = itemOf(document.get('schema'), 'name', one.table);
    if (!table) continue;
    if (one.column === null) writeCustom(document, table, one.field, one.value);
    else writeColumn(document, table, one.column, one.field, one.value);
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function writeColumn(
  document: Document,
  table: YAMLMap,
  name: string,
  field: ColumnField,
  value: string | boolean,
): void {
  const column = itemOf(table.get('properties'), 'name', name);
  if (!column) return;
  switch (field) {
    case 'type':
      writeType(document, column, String(value));
      break;
    case 'format':
      writeOption(document, column, field, value);
      break;
    case 'isIdentifier':
      writeOption(document, column, 'format', value === true ? 'identifier' : '');
      break;
    case 'minimum':
    case 'maximum':
      writeOption(document, column, field, value === '' ? '' : Number(value));
      break;
    case 'isKey':
      writeKey(document, table, column, value === true);
      break;
    case 'reference':
      column.delete('relationships');
      if (value !== '') write(document, column, 'relationships', [{ to: value }]);
      break;
    case 'isPersonal':
      writePersonal(document, column, value === true);
      break;
    case 'isPlanned':
      writeCustom(document, column, 'planned', value);
      break;
    case 'isMutable':
      writeCustom(document, column, 'mutable', value);
      break;
    default:
      writeCustom(document, column, field, value);
  }
}

function writeType(document: Document, column: YAMLMap, type: string): void {
  write(document, column, 'logicalType', type);
  const options = column.get('logicalTypeOptions');
  if (isMap(options)) {
    for (const rule of ['minimum', 'maximum', 'pattern', 'format'])
      if (!canHave(type, rule, options.get(rule))) options.delete(rule);
    if (options.items.length === 0) column.delete('logicalTypeOptions');
  }
  if (!isDated(type)) writeCustom(document, column, 'planned', false);
  if (!isNumeric(type)) writeCustom(document, column, 'decimalSeparator', '');
  const { quality = [] } = column.toJSON() as { quality?: { arguments?: { validValues?: unknown[] } }[] };
  const values = quality.flatMap((rule) => rule.arguments?.validValues ?? []);
  if (isNumeric(type) && values.some((value) => !Number.isFinite(Number(value)))) column.delete('quality');
}

/** Whether a column of a type may have a rule, as the service has it. */
function canHave(type: string, rule: string, value: unknown): boolean {
  if (rule === 'minimum' || rule === 'maximum') return isNumeric(type);
  if (rule === 'pattern') return type === 'string';
  if (dateForms.includes(String(value))) return isDated(type);
  if (value === 'money') return isNumeric(type);
  return type === 'string' || (type === 'integer' && (value === 'identifier' || value === 'phone'));
}

/** '' takes the option away. */
function writeOption(document: Document, column: YAMLMap, option: string, value: unknown): void {
  const options = column.get('logicalTypeOptions');
  if (value !== '') {
    if (isMap(options)) write(document, options, option, value);
    else write(document, column, 'logicalTypeOptions', { [option]: value });
  } else if (isMap(options)) {
    options.delete(option);
    if (options.items.length === 0) column.delete('logicalTypeOptions');
  }
}

/** Several columns of a key have their positions: one that joins them is the last. */
function writeKey(document: Document, table: YAMLMap, column: YAMLMap, isKey: boolean): void {
  if (isKey) write(document, column, 'primaryKey', true);
  else column.delete('primaryKey');
  column.delete('primaryKeyPosition');
  const place = (key: YAMLMap) => (key === column ? Infinity : Number(key.get('primaryKeyPosition') ?? 1));
  const keys = itemsOf(table.get('properties')).filter((one) => one.get('primaryKey') === true);
  for (const [at, key] of keys.toSorted((a, b) => place(a) - place(b)).entries())
    if (keys.length === 1) key.delete('primaryKeyPosition');
    else write(document, key, 'primaryKeyPosition', at + 1);
}

/** A classification that says something else stays, beside the property `pii`. */
function writePersonal(document: Document, column: YAMLMap, isPersonal: boolean): void {
  const said = column.get('classification');
  const saysMore = typeof said === 'string' && !/^(pii|personal)$/i.test(said);
  if (isPersonal && !saysMore) write(document, column, 'classification', 'pii');
  if (!isPersonal && !saysMore) column.delete('classification');
  writeCustom(document, column, 'pii', isPersonal && saysMore);
}

/** '' and false take the property away. */
function writeCustom(document: Document, map: YAMLMap, property: string, value: string | boolean): void {
  const list = map.get('customProperties');
  const item = itemOf(list, 'property', property);
  if (value === '' || value === false) {
    if (!isSeq(list) || !item) return;
    list.items.splice(list.items.indexOf(item), 1);
    if (list.items.length === 0) map.delete('customProperties');
  } else if (item) write(document, item, 'value', value);
  else if (isSeq(list)) list.items.push(document.createNode({ property, value }));
  else write(document, map, 'customProperties', [{ property, value }]);
}

/** The fields of a table or column in the order in which the service writes them. */
const order = [
  ...['name', 'logicalType', 'primaryKey', 'primaryKeyPosition', 'required', 'unique', 'businessName', 'description'],
  ...['logicalTypeOptions', 'relationships', 'quality', 'classification', 'customProperties', 'properties'],
];

/** Writes a field in its place; one that is not there yet comes behind those that it follows. */
function write(document: Document, map: YAMLMap, key: string, value: unknown): void {
  const node = map.get(key, true);
  if (isScalar(node) && node.value === value) return;
  const pair = map.items.find((one) => isScalar(one.key) && one.key.value === key);
  if (isScalar(node) && (value === null || typeof value !== 'object')) {
    node.value = value;
    node.comment = undefined;
  } else if (pair) pair.value = document.createNode(value);
  else {
    const before = map.items.findLastIndex((one) => {
      const at = order.indexOf(String(one.key));
      return at >= 0 && at < order.indexOf(key);
    });
    map.items.splice(before + 1, 0, document.createPair(key, value));
  }
}

const itemsOf = (list: unknown): YAMLMap[] => (isSeq(list) ? list.items.filter((item) => isMap(item)) : []);
const itemOf = (list: unknown, key: string, name: string): YAMLMap | undefined =>
  itemsOf(list).find((item) => item.get(key) === name);
