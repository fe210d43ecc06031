import { createFileRoute } from '@tanstack/react-router';
import { Playground } from '../playground/playground.tsx';

export type PlaygroundSearch = {
  /** The name or id of a model. */
  readonly model?: string;
  /** An alias or the id of a version, and another one to set beside it. */
  readonly version?: string;
  readonly compare?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly as?: 'json';
};

export const Route = createFileRoute('/_app/playground')({
  validateSearch: ({ model, version, compare, inputs, as }): PlaygroundSearch => ({
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof version === 'string' ? { version } : {}),
    ...(typeof compare === 'string' ? { compare } : {}),
    ...(typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs)
      ? { inputs: inputs as Record<string, unknown> }
      : {}),
    ...(as === 'json' ? { as } : {}),
  }),
  component: Playground,
});
