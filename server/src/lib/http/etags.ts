/**
 * Whether a list of ETags, or `*`, matches a strong ETag, compared as by If-Match (`strong`) or If-None-Match (`weak`);
 * RFC 9110 §8.8.3.2. The service's own ETags hold no comma.
 */
export function namesEtag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  return list
    .split(',')
    .map((one) => one.trim())
    .some((one) => one === etag || (comparison === 'weak' && one === `W/${etag}`));
}
