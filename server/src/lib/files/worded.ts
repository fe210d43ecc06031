// Reasons and notices that carry what their sentence says as a code with values, so that it can be said in another
// language. A wording has the English sentence of each code, as a function of the values.

// biome-ignore lint/suspicious/noExplicitAny: each sentence takes values of its own.
type Wording = Readonly<Record<string, (values: any) => string>>;
type Plain<W extends Wording> = { [Code in keyof W]: Parameters<W[Code]> extends [] ? Code : never }[keyof W];
type OfValues<W extends Wording> = Exclude<keyof W, Plain<W>>;

/** A code of a wording, and the values that its sentence names. */
export type Worded<W extends Wording> =
  | ([Plain<W>] extends [never] ? never : { readonly code: Plain<W> })
  | { [Code in OfValues<W>]: { readonly code: Code } & Parameters<W[Code]>[0] }[OfValues<W>];

export function sayWorded<W extends Wording>(wording: W, worded: { readonly code: keyof W }): string {
  return wording[worded.code](worded);
}
