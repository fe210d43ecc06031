import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { nullable } from '../../api/nullable.ts';
import { allows } from '../../lib/http/validate.ts';
import { kinds } from '../../ml/kinds/kinds.ts';
import type { Tasks } from '../../schema/tables.ts';

export type TaskRow = Selectable<Tasks>;
/** Ids of the uploaded files with labels, by part. */
export type LabelFiles = TaskRow['labels'];
/** What label files are for, in the order in which they are read. */
export const labelParts = ['train', 'validation'] as const;
export type LabelPart = (typeof labelParts)[number];

export const taskNameLengthMax = 63;

/** The schema of the name of a task, and of the model trained for it. */
export function taskName(description?: string) {
  return Type.String({
    // What has the form of an id could not be told from one.
    pattern: `^(?![a-z]+_[0-9a-f]{32}$)[a-zA-Z][a-zA-Z0-9_-]{0,${taskNameLengthMax - 1}}$`,
    [allows]: `letters without accents, digits, _ and -, a letter first, ${taskNameLengthMax} at most, and not of the form of an id`,
    ...(description === undefined ? {} : { description }),
  });
}

const taskExample = {
  id: 'tsk_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  name: 'churn',
  kind: 'binary',
  definition: 'PREDICT NOT exists(orders) WITHIN 90d FOR customers',
  query: 'PREDICT NOT exists(orders) WITHIN 90d FOR customers',
  question: {
    en: {
      sentence: 'For each customer: the chance of no order in the next 90 days.',
      outputs: [{ name: 'prediction', meaning: 'the chance of no order in the next 90 days' }],
    },
    'pt-BR': {
      sentence: 'Para cada cliente: a chance de não haver nenhum registro de orders nos próximos 90 dias.',
      outputs: [
        { name: 'prediction', meaning: 'a chance de não haver nenhum registro de orders nos próximos 90 dias' },
      ],
    },
  },
  labels: {},
  created_at: '2026-01-31T12:00:00.000Z',
};

/** A question in words of one language. */
const saidQuestionSchema = objectOf('SaidQuestion', {
  sentence: Type.String({ description: 'Whom it is asked about, what, and how far ahead.' }),
  outputs: Type.Array(
    objectOf('SaidOutput', {
      name: Type.String({ description: 'The field of an answer.' }),
      meaning: Type.String({ description: 'What its number says.' }),
    }),
  ),
});

const told = {
  kind: Type.String({ enum: kinds.map(({ name }) => name) }),
  query: Type.Union([Type.String(), Type.Null()], {
    description: 'The definition as a query, spelt in the one canonical way; null where labels come in files.',
  }),
  question: nullable(objectOf('TaskQuestion', { en: saidQuestionSchema, 'pt-BR': saidQuestionSchema })),
};

/** What a definition asks, of which no task has been made. */
export const readDefinitionSchema = answerOf(
  'ReadDefinition',
  { kind: taskExample.kind, query: taskExample.query, question: taskExample.question },
  told,
);

export const taskSchema = answerOf('Task', taskExample, {
  id: Type.String(),
  name: Type.String(),
  kind: told.kind,
  definition: Type.String({ description: 'Whom to predict for, what, how far ahead: YAML, or a query.' }),
  query: told.query,
  question: told.question,
  labels: objectOf('TaskLabels', { train: Type.Optional(Type.String()), validation: Type.Optional(Type.String()) }),
  created_at: Type.String(),
});

export function presentTask(row: TaskRow) {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    definition: row.definition,
    query: row.query,
    question: row.question,
    labels: row.labels,
    created_at: row.created_at.toISOString(),
  };
}
