import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';

const digits = 8;
const places = 16 ** digits;

/**
 * Where a text lies among all, from 0 to below 1, by its MD5: always at the same place, and many texts evenly. Those
 * below a share are that share of all, and a larger share has all of a smaller one.
 */
export function hashPlace(text: string): number {
  return Number.parseInt(hash('md5', text).slice(0, digits), 16) / places;
}

/** The same of a text in the database. */
export function hashPlaceOf(text: RawBuilder<string>): RawBuilder<number> {
  return sql<number>`(('x' || left(md5(${text}), ${sql.lit(digits)}))::bit(32)::bigint / ${sql.lit(places)}::float8)`;
}
