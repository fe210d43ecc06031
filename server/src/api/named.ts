import { type TProperties, Type } from 'typebox';

/** The schema of an object that the API document, and clients generated from it, call `title`. */
export function objectOf<P extends TProperties>(title: string, properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { title, ...options });
}

/**
 * The schema of an object that is an answer by itself: the API document calls it `title` and shows `example` with it.
 */
export function answerOf<P extends TProperties>(title: string, example: unknown, properties: P) {
  return Type.Object(properties, { title, examples: [example] });
}
