/** The rows and moments that the features are asked for. */

import type { Tables } from '../../../src/ml/graph/tables.ts';
import { type Draw, day, draws } from '../../samples.ts';
import type { Question, Subject } from './history.ts';
import { from, type Shape } from './samples.ts';
import { exists, type World } from './world.ts';

export type Asked = { readonly root: Subject; readonly row: number; readonly question: Question };

export function askCustomers(world: World, shape: Shape, tables: Tables): Asked[] {
  const draw = draws(shape.seed + 1);
  const { rowOf } = tables.get('customer')!;
  return Array.from({ length: 5 }, () => {
    const key = draw.between(1, shape.customers + 1);
    const known = exists(world, 'customer', key);
    return {
      root: known ? { table: 'customer', key } : null,
      row: rowOf.get(key) ?? -1,
      question: { ...moments(draw, shape, momentNear(world, draw)), own: null, ownTable: 'customer' },
    };
  });
}

/** Payments asked about at their own moment and at later ones, when later versions and children of theirs are there. */
export function askPayments(world: World, shape: Shape, tables: Tables): Asked[] {
  const draw = draws(shape.seed + 2);
  const table = tables.get('payment')!;
  const payments = world.data.payment.filter(({ paid }) => paid !== null);
  if (payments.length === 0) return [];
  return Array.from({ length: 5 }, () => {
    const key = draw.pick(payments).payment_id;
    const row = table.rowOf.get(key as number)!;
    const raw = world.data.payment[row];
    const moment = Number(raw.paid ?? from) + draw.pick([0, 0, 20, 200]) * day;
    return {
      root: { table: 'payment', key, row: raw },
      row,
      question: { ...moments(draw, shape, moment), own: key, ownTable: 'payment' },
    };
  });
}

/** Anchors at, just before and just after events, where ties and strictness tell. */
function momentNear(world: World, draw: Draw): number {
  const payments = world.data.payment.filter(({ paid }) => paid !== null);
  if (payments.length === 0 || draw.next() < 0.3) return from + draw.between(0, 500) * day;
  return Number(draw.pick(payments).paid) + draw.pick([0, 0, -1, 1, day - 1, day, 30 * day]);
}

function moments(draw: Draw, { strict, stale }: Shape, at: number): { at: number; readableUntil: number } {
  const until = stale ? at + draw.pick([-200, -20, 5]) * day : Number.POSITIVE_INFINITY;
  return { at, readableUntil: Math.min(strict ? at - 1 : at, until) };
}
