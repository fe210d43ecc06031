import type { LastroError, Schemas } from '@lastro/sdk';
import type { Outputs } from '../predictions/answer-fields.ts';

/** What answers: an alias or the id of a version as it is asked by, and the version behind it. */
export type Target = { readonly value: string; readonly id: string; readonly label: string };
export type Answered = {
  readonly target: Target;
  readonly version: Schemas['ModelVersion'] | undefined;
  readonly outputs: Outputs;
  readonly tookMs: number;
};

export type Place = LastroError['errors'][number];
