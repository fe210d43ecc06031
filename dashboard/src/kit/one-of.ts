/** Whether a value, as of an address, is one of some texts. */
export function isOneOf<T extends string>(values: readonly T[], value: unknown): value is T {
  return values.some((one) => one === value);
}
