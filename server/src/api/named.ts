import { type TProperties, Type } from 'typebox';

/** An object that the API document, and clients made of it, call `title`. */
export function objectOf<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title });
}

/** An object that is answered whole: the API document calls it `title` and shows `example` wherever it is. */
export function answerOf<P extends TProperties>(title: string, example: unknown, properties: P) {
  return Type.Object(properties, { title, examples: [example] });
}
