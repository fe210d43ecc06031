import type { ColumnContract, EntityKind, TableContract } from '../contract/contract.ts';
import type { Feature } from '../features/feature.ts';
import { categoriesRead, columnsRead, type LineageSource, type ReadColumn } from './lineage.ts';
import { humanWords } from './names.ts';

/** A kind of trait that explanations must not mention, and how columns that hold it are named. */
export type ProtectedShape = {
  readonly name: string;
  /** Words that mark such a column anywhere in its name: lower case, without accents. */
  readonly words?: readonly string[];
  /** Whole names, as words joined by a space. */
  readonly names?: readonly string[];
  /** Kinds of entity for which such a column means something else: the age of a machine. */
  readonly except?: readonly EntityKind[];
};

/**
 * Sensitive personal data of LGPD art. 5 II; also sex, age and family, on which lending laws forbid to base a decision.
 */
export const protectedShapes: readonly ProtectedShape[] = [
  { name: 'sex', words: ['sex', 'sexo', 'gender', 'genero', 'sexual'] },
  {
    name: 'origin',
    words: ['ethnicity', 'ethnic', 'etnia', 'nationality', 'nacionalidade', 'raca'],
    names: ['race', 'race group', 'race code', 'skin color', 'skin colour', 'cor da pele'],
  },
  { name: 'religion', words: ['religion', 'religious', 'religiao', 'creed'] },
  {
    name: 'opinion',
    words: ['political', 'sindical', 'partidaria'],
    names: ['union member', 'union membership', 'opiniao politica'],
  },
  { name: 'health', words: ['disability', 'deficiencia', 'pregnant', 'gravidez', 'biometric', 'biometria', 'genetic'] },
  { name: 'family', words: ['marital'], names: ['estado civil'] },
  {
    name: 'age',
    words: ['born', 'birth', 'birthday', 'birthdate', 'dob', 'nascimento', 'nasc', 'nascido', 'etaria'],
    names: ['age', 'idade', 'age group', 'age band', 'age years', 'customer age', 'client age', 'applicant age'],
    except: ['asset'],
  },
];

/**
 * Whether a factor of this feature may not be described: it reads a column marked personal or one with a protected
 * shape, or what became of those who have the same value in such a column. Without the entity, the column of every
 * table with this name is checked.
 */
export function isProtected(
  source: LineageSource,
  feature: Feature,
  shapes: readonly ProtectedShape[] = protectedShapes,
): boolean {
  return [...columnsRead(source, feature), ...categoriesRead(source, feature)].some(
    (read) => read.column.pii || (!read.isReference && shapes.some((shape) => hasShape(shape, read))),
  );
}

/** Whether a column of a table is named as one that holds a protected trait. */
export function columnIsProtected(
  table: TableContract,
  column: ColumnContract,
  shapes: readonly ProtectedShape[] = protectedShapes,
): boolean {
  return shapes.some((shape) => hasShape(shape, { table, column, isReference: false }));
}

function hasShape({ words, names, except }: ProtectedShape, { table, column }: ReadColumn): boolean {
  if (table?.entityKind !== undefined && except?.includes(table.entityKind)) return false;
  const own = humanWords(column.name.normalize('NFD').replace(/\p{M}/gu, '')).map((word) => word.toLowerCase());
  return own.some((word) => words?.includes(word)) || names?.includes(own.join(' ')) === true;
}
