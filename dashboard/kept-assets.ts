const keptMs = 24 * 60 * 60_000;
/** Far fewer files than may be served: who builds all day makes thousands. */
const keptMax = 1_500;

/** Which assets of earlier builds stay, for tabs that are still open: those of the last day, the newest of many. */
export function keptAssets(assets: readonly { readonly name: string; readonly at: number }[], now: number): string[] {
  return assets
    .filter(({ at }) => now - at <= keptMs)
    .sort((one, other) => other.at - one.at)
    .slice(0, keptMax)
    .map(({ name }) => name);
}
