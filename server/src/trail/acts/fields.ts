/** Fields of payloads that several acts have. */
import { type TSchema, Type } from 'typebox';

export const text = Type.String();
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const oneOf = <const T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>(Type.String({ enum: [...values] }));
export const texts = Type.Array(text);
export const failure = Type.Object({ code: text, detail: text });
