import { type Reader, readName, readPath } from './query-reader.ts';
import type { Payment } from './target.ts';

/** Reads `(due, paid [, amount, paid_amount] [VIA path])` of rows of `table`; paid may be `payments.paid`. */
export function readPayment(reader: Reader, table: string): Payment {
  reader.take('(');
  const due = readName(reader, 'the column with the day it is due');
  if (reader.is('.')) throw reader.refuse({ code: 'due_elsewhere', table, name: due });
  if (!reader.tryTake(',')) throw reader.refuseNext(', and the day it was paid');
  const first = readName(reader, 'the column with the day it was paid');
  const from = reader.tryTake('.') ? first : undefined;
  const paid = from === undefined ? first : readName(reader, `the column of ${from} with the day it was paid`);
  let amounts: Payment['amounts'];
  if (reader.tryTake(',')) {
    const owed = readName(reader, 'the column with the amount due');
    if (!reader.tryTake(',')) throw reader.refuseNext(', and the amount paid');
    if (from !== undefined) {
      if (reader.peek().value !== from) throw reader.refuseNext(`the amount paid, a column of ${from}: ${from}.…`);
      reader.next();
      reader.take('.');
    }
    amounts = { due: owed, paid: readName(reader, 'the column with the amount paid') };
  }
  const via = from !== undefined && reader.tryTake('VIA') ? { reference: readPath(reader) } : {};
  reader.take(')');
  return {
    due,
    paid,
    ...(amounts ? { amounts } : {}),
    ...(from === undefined ? {} : { payments: { table: from, ...via } }),
  };
}
