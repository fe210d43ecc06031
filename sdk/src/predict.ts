import { addressOf } from './http/address.ts';
import { pending } from './http/pending.ts';
import { send } from './http/send.ts';
import type { Settings } from './settings.ts';
import type { Answered, Pending, Query, RequestOptions, Schemas } from './signatures.ts';

/**
 * Models of yours by name, with what they take and give. Declare them and `predict` holds you to it:
 *
 *     declare module '@lastro/sdk' {
 *       interface Models { credit: { inputs: { customer_id: string; amount: number }; outputs: CreditOutputs } }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be added to
export interface Models {}

/** A model by its name or id, and one of its aliases or version ids: `credit/production`. */
export type Target = `${string}/${string}`;

type NameIn<T extends Target> = T extends `${infer Name}/${string}` ? Name : never;
type ModelOf<T extends Target> = NameIn<T> extends keyof Models ? Models[NameIn<T>] : unknown;

/** What a prediction can be given beside the inputs of its model. */
export type Asked = {
  /** As of the end of this day, `2026-06-30`; as of now by default. */
  readonly reference_date?: string;
  /** Yours, at most 1,000 characters. */
  readonly correlation_id?: string;
  readonly reference_id?: string;
};

/** The inputs of a model that is declared in `Models`, or any. */
export type InputsOf<T extends Target> =
  ModelOf<T> extends { readonly inputs: infer Inputs } ? Inputs & Asked : Schemas['PredictionRequest'];

/** What every prediction has, and what a model that is declared in `Models` adds to it. */
export type OutputsOf<T extends Target> =
  ModelOf<T> extends { readonly outputs: infer Outputs } ? Known & Outputs : Schemas['PredictionAnswer'];

/** The answer without what may be added to it: a field that nobody declared is refused by the compiler. */
type Known = {
  readonly [K in keyof Schemas['PredictionAnswer'] as string extends K ? never : K]: Schemas['PredictionAnswer'][K];
};

export type PredictOptions = RequestOptions & {
  readonly include?: readonly ('explanation' | 'interval' | 'unknown')[];
  /** Of the sentences of the answer; that of the workspace by default. */
  readonly language?: NonNullable<Query<'predictions.create'>['language']>;
  readonly snapshot_id?: NonNullable<Query<'predictions.create'>['snapshot_id']>;
};

/** Asks a model. Whatever comes to pass on the way, asking again changes nothing. */
export function predict<T extends Target>(
  settings: Settings,
  target: T,
  inputs: InputsOf<T>,
  { include, language, snapshot_id, ...options }: PredictOptions,
): Pending<OutputsOf<T>> {
  const query = {
    ...(include ? { include: include.join(',') } : {}),
    ...(language ? { language } : {}),
    ...(snapshot_id ? { snapshot_id } : {}),
  };
  const answered = send(settings, {
    method: 'POST',
    address: addressOf('/v1/api/prediction/{model}/{alias}', partsOf(target), query),
    body: inputs,
    isRepeatable: true,
    wants: 'json',
    options,
  });
  return pending(answered as Promise<Answered<OutputsOf<T>>>);
}

/** Throws TypeError for what is no model and alias. */
function partsOf(target: string): readonly string[] {
  const parts = target.split('/');
  if (parts.length !== 2)
    throw new TypeError(`ask a model as '<model>/<alias or version id>', such as 'credit/production', not '${target}'`);
  return parts;
}
