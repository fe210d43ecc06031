/** A signal that ends with another one, or by itself. */
export type Ending = {
  readonly signal: AbortSignal;
  end(reason?: unknown): void;
  /** Lets go of the other signal, which may live for long. */
  release(): void;
};

export function openEnding(other?: AbortSignal): Ending {
  const own = new AbortController();
  const pass = () => own.abort(other?.reason);
  if (other?.aborted) pass();
  other?.addEventListener('abort', pass);
  return {
    signal: own.signal,
    end: (reason) => own.abort(reason),
    release: () => other?.removeEventListener('abort', pass),
  };
}
