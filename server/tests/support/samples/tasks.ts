/** Questions of every shape that a query can ask, made up: conditions in conditions, names that read as keywords. */
import fc from 'fast-check';
import type { KindName } from '../../../src/ml/kinds/kinds.ts';
import type { Condition, Threshold, Value } from '../../../src/ml/tasks/condition.ts';
import { kindOf } from '../../../src/ml/tasks/question.ts';
import type {
  AnchorLayout,
  Delinquency,
  DelinquencyRule,
  FutureRows,
  Payment,
  Question,
} from '../../../src/ml/tasks/target.ts';
import { day } from '../../samples.ts';

const name = fc.oneof(
  fc.constantFrom(
    'customer',
    'loan_payment',
    'days_late',
    'ação',
    'WHERE',
    'for',
    'last',
    'first',
    'count',
    'two words',
  ),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const path = fc.array(name, { minLength: 1, maxLength: 3 });
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const whole = (least: number, most: number) => fc.integer({ min: least, max: most });
const number = fc.oneof(
  whole(-1000, 1000),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0),
);
const moment = fc.oneof(
  whole(0, 20_000).map((days) => days * day),
  whole(0, 20_000_000).map((minutes) => minutes * 60_000_000),
);
const value: fc.Arbitrary<Value> = fc.oneof(number, fc.string({ maxLength: 8 }), fc.boolean(), fc.record({ moment }));
const days = fc.oneof(
  whole(1, 400),
  whole(1, 100).map((hours) => hours / 24),
);
const comparison = fc.constantFrom(...(['=', '!=', '>', '>=', '<', '<='] as const));
const than: fc.Arbitrary<Threshold> = fc.record({ is: comparison, value: number });

/** Without fields that are undefined, as the parser leaves them out. */
const defined = <T extends object>(of: T): T =>
  Object.fromEntries(Object.entries(of).filter(([, one]) => one !== undefined)) as T;

function conditions(allowPast: boolean): fc.Arbitrary<Condition> {
  const plain: fc.Arbitrary<Condition>[] = [
    fc.record({ kind: fc.constant('compare' as const), column: name, is: comparison, value }),
    fc.record({
      kind: fc.constant('in' as const),
      column: name,
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('missing' as const), column: name }),
  ];
  const { tree } = fc.letrec<{ tree: Condition; node: Condition }>((tie) => ({
    node: fc.oneof(
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), of: tie('tree') }),
    ),
    tree: fc.oneof(
      { maxDepth: 4 },
      ...plain,
      ...(allowPast
        ? [
            fc.tuple(name, maybe(path), maybe(conditions(false)), maybe(days), maybe(than)).map(
              ([table, reference, where, past, count]): Condition =>
                defined({
                  kind: 'past' as const,
                  rows: defined({ table, reference, where }),
                  days: past,
                  than: count,
                }) as Condition,
            ),
          ]
        : []),
      tie('node'),
    ),
  }));
  return tree;
}

const horizons = fc.uniqueArray(days, { minLength: 1, maxLength: 4 }).map((all) => all.toSorted((a, b) => a - b));
const payment: fc.Arbitrary<Payment> = fc
  .tuple(
    name,
    name,
    maybe(fc.record({ due: name, paid: name })),
    maybe(fc.tuple(name, maybe(path)).map(([table, reference]) => defined({ table, reference }))),
  )
  .map(([due, paid, amounts, payments]) => defined({ due, paid, amounts, payments }) as Payment);
const overdue = fc.tuple(payment, whole(0, 90)).map(([one, late]) => ({ ...one, days: late }));
const futureRows: fc.Arbitrary<FutureRows> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom('exists' as const, 'count' as const, 'first' as const),
      fc.record({ sum: name }),
      fc.record({ next: name }),
    ),
    fc.tuple(name, maybe(path), maybe(overdue), maybe(conditions(false)), maybe(than), horizons),
  )
  .map(([aggregate, [table, reference, late, where, compared, horizonsDays]]) => {
    const isNumber = aggregate === 'count' || (typeof aggregate === 'object' && 'sum' in aggregate);
    const isNext = typeof aggregate === 'object' && 'next' in aggregate;
    return defined({
      kind: 'rows' as const,
      table,
      reference,
      overdue: late,
      where,
      aggregate,
      than: isNumber ? compared : undefined,
      horizonsDays: isNext ? horizonsDays.slice(0, 1) : horizonsDays,
    }) as FutureRows;
  });
const rule: fc.Arbitrary<DelinquencyRule> = fc.oneof(
  fc.record({ kind: fc.constant('first_payment_default' as const), days: whole(0, 90) }),
  fc.record({ kind: fc.constant('days_past_due' as const), days: whole(1, 180), month: whole(1, 60) }),
  fc.record({
    kind: fc.constant('charge_off' as const),
    by: fc.oneof(fc.record({ column: name }), fc.record({ days: whole(1, 360) })),
    month: whole(1, 60),
  }),
);
const obligations = fc
  .tuple(name, maybe(path), payment)
  .map(([table, reference, one]) => defined({ table, reference, ...one }));
const delinquency = fc.tuple(name, maybe(path), maybe(name), rule, maybe(obligations), maybe(horizons)).map(
  ([table, reference, opened, given, due, horizonsDays]) =>
    defined({
      kind: 'delinquency' as const,
      table,
      reference,
      opened,
      rule: given,
      obligations: due,
      horizonsDays,
    }) as Delinquency,
);
const anchors: fc.Arbitrary<AnchorLayout> = fc
  .tuple(
    maybe(
      fc.oneof(
        days.map((everyDays) => ({ everyDays })),
        fc.constant({ isOnce: true as const }),
      ),
    ),
    maybe(moment),
    maybe(moment),
  )
  .map(([spacing, one, other]) => {
    const [from, until] =
      one !== undefined && other !== undefined ? [Math.min(one, other), Math.max(one, other)] : [one, other];
    return defined({ ...spacing, from, until }) as AnchorLayout;
  });
/** A question as the parser leaves it: fields that nobody gave are not there. */
export const questions: fc.Arbitrary<Question> = fc
  .tuple(name, fc.oneof(futureRows, delinquency), maybe(conditions(true)), maybe(anchors), fc.boolean())
  .map(([entity, target, population, layout, isCredit]) => {
    const natural = kindOf(target);
    const kind: KindName = isCredit && natural === 'binary' && target.horizonsDays ? 'credit' : natural;
    const isObserved = target.kind === 'delinquency' && !target.horizonsDays;
    const { everyDays: _, ...rest } = layout ?? {};
    const laid = isObserved ? rest : layout;
    return defined({
      entity,
      kind,
      target,
      population,
      anchors: laid && Object.keys(laid).length > 0 ? laid : undefined,
    }) as Question;
  });
