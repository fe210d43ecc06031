/** How recently a person must have proved who they are for what is sensitive. */
const freshMs = 10 * 60_000;

/** Whether a proof, in milliseconds since 1970, is recent enough for what is sensitive; null is none. */
export function isFresh(provedAt: number | null): boolean {
  return provedAt !== null && provedAt + freshMs >= Date.now();
}
