// What callers may send as they like, and how much of it.
import { type TObject, type TSchemaOptions, Type } from 'typebox';
import { bytesMax } from '../lib/http/size-bounds.ts';

/** Most characters of an id, a name or another short text in a request. */
export const shortTextMax = 300;
/** Most characters of a parameter of a query. */
export const parameterLengthMax = 2_000;
/** Most characters of an Idempotency-Key. */
export const idempotencyKeyLengthMax = 255;
/** Most fields of an object that a caller makes up, and most bytes of it as JSON. */
export const freeFieldsMax = 200;
export const freeBytesMax = 16 * 1024;

/** The schema of an id, a name or another short text that a request brings. */
export function shortText(description?: string) {
  return Type.String({ maxLength: shortTextMax, ...(description === undefined ? {} : { description }) });
}

/** The schema of an object whose fields a caller makes up, and gets back as they are. */
export function freeObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), {
    maxProperties: freeFieldsMax,
    [bytesMax]: freeBytesMax,
    description,
  });
}

/** The schema of parameters with a limit of `most` characters for each text that has none. */
export function boundedTexts(schema: TObject, most: number): TObject {
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const { type, maxLength, pattern, enum: listed } = property as TSchemaOptions & Record<string, unknown>;
    const isOpen = type === 'string' && maxLength === undefined && pattern === undefined && listed === undefined;
    // Unlike a spread, this keeps the marks by which an optional property is known.
    const own = Object.getOwnPropertyDescriptors(property);
    return [
      name,
      isOpen ? Object.defineProperties({}, { ...own, maxLength: { value: most, enumerable: true } }) : property,
    ];
  });
  return { ...schema, properties: Object.fromEntries(properties) } as TObject;
}
