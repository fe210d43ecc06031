import { describe, expect, it } from 'vitest';
import { all, days90, instalments, invoices, of, root } from '../../../tests/support/samples/explain.ts';
import { say } from '../../../tests/support/say-factor.ts';
import type { Signal } from '../events/signals.ts';
import type { Read } from '../features/feature.ts';

const nan = Number.NaN;

describe('days and small numbers', () => {
  it('show digits of what would round to nothing, and no sign of what is nothing', () => {
    const read = (signal: Signal) =>
      ({ kind: 'number', events: invoices, signal, span: all, aggregate: 'slope' }) as const;
    const toPayment: Signal = { kind: 'interval', column: 'due_date' };
    const ending = (signal: Signal, value: number) => /: (.*)$/.exec(say(root, read(signal), value, nan, 'en'))?.[1];
    expect(ending(toPayment, 0.00002)).toBe('+0.015 hours a month');
    expect(ending(toPayment, -0.001)).toBe('-0.7 hours a month');
    expect(ending(toPayment, 1e-12)).toBe('0 days a month');
    expect(ending(of('amount'), 0.0001)).toBe('+BRL 0.0030 a month');
    expect(ending(of('amount'), 1e-9)).toBe('BRL 0.00 a month');
    expect(ending(of('disputed'), -0.00001)).toBe('-0.03% a month');
  });

  it('count whole days between two days, as a calendar does', () => {
    // An event of a day stands at its end, and a date at its start.
    const signal: Signal = { kind: 'interval', column: 'due_date' };
    const read: Read = { kind: 'number', events: invoices, signal, span: all, aggregate: 'max' };
    const lacking = 1 - 1 / 86_400_000_000;
    expect(say(root, read, 60 - lacking, 45 - lacking, 'en')).toMatch(/: 60 days \(usually 45 days\)$/);
    expect(say(root, read, 0 - lacking, 45 - lacking, 'pt-BR')).toMatch(/: 0 dias \(em geral 45 dias\)$/);
  });

  it('name whose date it is that events are held against', () => {
    const signal: Signal = { kind: 'interval', path: ['loan_id'], column: 'matures_on' };
    const read: Read = { kind: 'number', events: instalments, signal, span: all, aggregate: 'mean' };
    expect(say(root, read, 11.4, 29, 'en')).toBe(
      "Average time from instalment to the loan's maturity date, over all instalments: 12 days (usually 30 days)",
    );
    expect(say(root, read, 11.4, 29, 'pt-BR')).toContain('data de vencimento do empréstimo');
  });

  it('count days between two dates of a row', () => {
    const late: Signal = { kind: 'interval', from: 'due_date', column: 'paid_at' };
    const read: Read = { kind: 'number', events: invoices, signal: late, span: days90, aggregate: 'mean' };
    expect(say(root, read, 4, -2, 'en')).toBe(
      'Average time from due date to payment date, over invoices (as customer) in the last 90 days: 4 days late (usually 2 days early)',
    );
    expect(say(root, read, 0, 4, 'pt-BR')).toBe(
      'Tempo médio entre a data de vencimento e a data de pagamento, nas faturas (como cliente) nos últimos 90 dias: no dia (em geral 4 dias de atraso)',
    );
  });
});
