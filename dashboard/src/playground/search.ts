export type PlaygroundSearch = {
  /** The name or id of a model. */
  readonly model?: string;
  /** An alias or the id of a version, and another one to set beside it. */
  readonly version?: string;
  readonly compare?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly as?: 'json';
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readPlaygroundSearch = ({
  model,
  version,
  compare,
  inputs,
  as,
}: Readonly<Record<string, unknown>>): PlaygroundSearch => ({
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof version === 'string' ? { version } : {}),
  ...(typeof compare === 'string' ? { compare } : {}),
  ...(typeof inputs === 'object' && inputs !== null && !Array.isArray(inputs)
    ? { inputs: inputs as Record<string, unknown> }
    : {}),
  ...(as === 'json' ? { as } : {}),
});
