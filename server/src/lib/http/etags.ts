/**
 * Whether a list of ETags, or `*`, names a strong one, as If-Match compares them (`strong`) or If-None-Match (`weak`);
 * RFC 9110 §8.8.3.2. ETags of ours have no comma.
 */
export function namesEtag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  return list
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === etag || (comparison === 'weak' && one === `W/${etag}`));
}
