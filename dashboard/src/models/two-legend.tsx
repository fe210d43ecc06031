/** Which marks of a drawing are of which of two versions: the one before, and the one that may replace it. */
export function TwoLegend({ names: [base, candidate] }: { readonly names: readonly [string, string] }) {
  return (
    <p className="flex gap-4 text-ink2 text-meta">
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 rounded-full bg-accent" aria-hidden="true" />
        {base}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <span className="size-2 bg-challenger" aria-hidden="true" />
        {candidate}
      </span>
    </p>
  );
}
