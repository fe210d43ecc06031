import { Type } from 'typebox';

/** A schema, or null. */
export const nullable = <T extends Parameters<typeof Type.Array>[0]>(schema: T) => Type.Union([schema, Type.Null()]);
