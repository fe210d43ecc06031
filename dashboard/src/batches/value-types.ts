import type { Schemas } from '@lastro/sdk';
import { isDay } from '../kit/day.ts';

type Type = Schemas['ModelVersion']['inputs'][number]['type'];

/** The forms in which the service finds the days as of which rows are, beside ISO 8601. */
export const dateForms = ['dd/MM/yyyy', 'MM/dd/yyyy', 'yyyy/MM/dd', 'yyyyMMdd'] as const;

const day = /^\d{4}-\d{2}-\d{2}$/;
const clock = /^\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
const moment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)? ?(Z|[+-]\d{2}(:?\d{2})?)?$/i;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Whether the service reads a value as one of a type. `text`: what stands there, without a form of its own. */
export function isOfType(text: string, value: unknown, type: Type): boolean {
  switch (type) {
    case 'integer':
      return number.test(text) && Number.isSafeInteger(Number(text));
    case 'number':
      return number.test(text);
    case 'boolean':
      return /^(true|false|t|f|yes|no|1|0)$/i.test(text);
    case 'date':
      return moment.test(text) && isDay(text.slice(0, 10)) && isMidnight(text);
    case 'timestamp':
      return moment.test(text) && isDay(text.slice(0, 10));
    case 'time':
      return clock.test(text);
    case 'array':
      return Array.isArray(value) || text.startsWith('[');
    case 'string':
      return typeof value !== 'object';
  }
}

/** Of a date with a time of day, only the start of the day is a date. */
function isMidnight(text: string): boolean {
  return day.test(text) || /^.{10}[T ]00:00(:00(\.0+)?)?/.test(text);
}
