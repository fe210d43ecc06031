import type { LogicalType } from './column.ts';

/**
 * Returns a function that writes values of a type as text: numbers as JavaScript does, days and times as ISO 8601 in
 * UTC, or of `isLocal` without a zone.
 */
export function valueText(type: Exclude<LogicalType, 'string'>, isLocal = false): (value: number) => string {
  switch (type) {
    case 'number':
    case 'integer':
      return numberText;
    case 'boolean':
      return (value) => (value === 0 ? 'false' : 'true');
    case 'date':
      return dateFormatter();
    case 'timestamp': {
      const dateText = dateFormatter();
      const zone = isLocal ? '' : 'Z';
      return (value) => `${dateText(value)}T${timeText(value)}${zone}`;
    }
    case 'time':
      return timeText;
  }
}

/**
 * JavaScript's text of a number is the shortest that reads back as the same number (ECMA-262, Number::toString), but
 * loses the sign of -0.
 */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const dayUs = 86_400_000_000;
const two = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
/** Days whose text is remembered: making one costs more than writing the rest of a row. */
const dayTextsMax = 50_000;

function dateFormatter(): (us: number) => string {
  const texts = new Map<number, string>();
  return (us) => {
    const day = Math.floor(us / dayUs);
    const known = texts.get(day);
    if (known !== undefined) return known;
    if (texts.size >= dayTextsMax) texts.clear();
    const text = new Date(day * 86_400_000).toISOString().split('T', 1)[0];
    texts.set(day, text);
    return text;
  };
}

function timeText(us: number): string {
  const ofDay = us - Math.floor(us / dayUs) * dayUs;
  const seconds = Math.floor(ofDay / 1_000_000);
  const clock = `${two[Math.floor(seconds / 3600)]}:${two[Math.floor(seconds / 60) % 60]}:${two[seconds % 60]}`;
  const microseconds = ofDay % 1_000_000;
  return microseconds === 0 ? clock : `${clock}.${String(microseconds).padStart(6, '0').replace(/0+$/, '')}`;
}
