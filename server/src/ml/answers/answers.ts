import type { Column } from '../../lib/files/column.ts';
import type { Task } from '../tasks/task.ts';
import type { Field } from '../version/schema.ts';
import { credit } from './credit.ts';
import { custom } from './custom.ts';
import { fieldSales } from './field-sales.ts';
import { fraud } from './fraud.ts';
import { type Answered, type AnswerKind, textField, type Values } from './kind.ts';
import { leadScoring } from './lead-scoring.ts';
import { paidMedia } from './paid-media.ts';

function kindOf({ kind }: Task): AnswerKind {
  switch (kind) {
    case 'credit':
      return credit;
    case 'lead_scoring':
      return leadScoring;
    case 'paid_media':
      return paidMedia;
    case 'fraud':
      return fraud;
    case 'field_sales':
      return fieldSales;
    case 'binary':
    case 'regression':
    case 'multiclass':
      return custom;
  }
}

/** Whether the answers of a kind tell of those who stand near. */
export function readsNetwork({ kind }: Task): boolean {
  return kind === 'fraud' || kind === 'field_sales';
}

/** The outputs of a version, in the order they are written. */
export function outputFields(task: Task, outputs: readonly Answered[]): Field[] {
  return [
    ...kindOf(task).fields(task, outputs),
    textField('data_coverage', 'How much of what the model reads was known.', 'full', {
      enum: ['full', 'partial', 'none'],
    }),
    textField('as_of', 'The moment the prediction is made for.', '2024-12-31T23:59:59Z', { type: 'timestamp' }),
  ];
}

/** The columns of the fields that a kind of task has of its own. */
export function answerColumns(task: Task, outputs: readonly Answered[], values: Values): ReadonlyMap<string, Column> {
  return kindOf(task).columns(task, outputs, values);
}
