export type NewEvaluationSearch = {
  readonly model?: string;
  readonly version?: string;
  /** The version that it is compared with. */
  readonly against?: string;
};

/** Reads the query of the page's address; what it does not know is left out. */
export const readNewEvaluationSearch = ({
  model,
  version,
  against,
}: Readonly<Record<string, unknown>>): NewEvaluationSearch => ({
  ...(typeof model === 'string' ? { model } : {}),
  ...(typeof version === 'string' ? { version } : {}),
  ...(typeof against === 'string' ? { against } : {}),
});
