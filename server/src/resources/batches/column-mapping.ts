import { Type } from 'typebox';
import { freeBytesMax, freeFieldsMax, shortText, shortTextMax } from '../../api/texts.ts';
import { refuse } from '../../errors.ts';
import type { Problem } from '../../lib/failure.ts';
import { bytesMax } from '../../lib/http/size-bounds.ts';
import { pointerTo } from '../../serving/rows/body.ts';

/** A mapping of columns as a request has it: the columns of files by the names by which they are read. */
export const mappingSchema = (description: string) =>
  Type.Record(Type.String({ maxLength: shortTextMax }), shortText(), {
    maxProperties: freeFieldsMax,
    [bytesMax]: freeBytesMax,
    description,
  });

/** Throws Failure 'invalid' with what is wrong with a mapping, if anything is. */
export function refuseMapping(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw refuse('invalid', problems[0].message, {
    problems: problems.map(({ at, message }) => ({ at: `/column_mapping${pointerTo(at)}`, message })),
  });
}
