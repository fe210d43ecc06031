import type { Schemas } from '@lastro/sdk';

/** A day or moment as its control shows it, without a zone: the service takes that for UTC. Other texts stay. */
export function asPicked(type: Schemas['ModelField']['type'], text: string): string {
  if (type === 'date') return text.replace(/^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?Z?$/i, '$1');
  if (type === 'time') return text.replace(/^(\d\d:\d\d:\d\d)\.\d+$/, '$1');
  const [, day, clock = '00:00', zone = 'Z'] = moment.exec(text) ?? [];
  const at = type === 'timestamp' && day !== undefined ? Date.parse(`${day}T${clock}${zone}`) : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString().slice(0, 19);
}

const moment = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|[+-]\d\d:\d\d)?$/i;
