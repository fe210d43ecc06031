import { expect, test } from 'vitest';
import { infer, moment, rows, tableOf } from '../../../tests/support/samples/contract.ts';
import type { EntityKind } from './contract.ts';
import { namesOfPeople } from './kinds.ts';
import type { TableProfile } from './profile.ts';

/** Which columns of 500 texts seem to be names of people, by how many of them differ. */
function found(columns: Readonly<Record<string, number>>, kind: EntityKind | undefined): (string | null)[] {
  const told = Object.entries(columns).map(([name, distinct]) => ({ name, type: 'string', distinct, filled: 500 }));
  const table = { name: 'clientes', columns: told } as unknown as TableProfile;
  return namesOfPeople(table, kind, new Set()).map(({ column }) => column);
}

test('names of people may repeat where a column is called that of such a person, and of no other', () => {
  const few = { 'Nome do cliente': 41, nome: 41, customer_name: 41, 'Nome do plano': 41, branchName: 5 };
  expect(found(few, 'individual')).toEqual(['Nome do cliente', 'nome', 'customer_name']);
  expect(found(few, undefined)).toEqual([]);
});

test('a name that differs in most rows is that of a person in a table of people, and a full name in any', () => {
  const many = { 'Nome no cartão': 450, product: 480, full_name: 450 };
  expect(found(many, 'individual')).toEqual(['Nome no cartão', 'full_name']);
  expect(found(many, undefined)).toEqual(['full_name']);
});

test('names of organizations are of nobody, and in a table of companies those of their people are', () => {
  const names = { company_name: 480, 'Razão Social': 480, nome_fantasia: 470, employer_name: 300, contact_name: 120 };
  expect(found({ ...names, customer_name: 480 }, 'individual')).toEqual(['contact_name', 'customer_name']);
  expect(found({ ...names, customer_name: 480 }, 'company')).toEqual(['contact_name']);
  expect(found(names, undefined)).toEqual([]);
});

test('customers are companies where each has the name of one, and people where they have names of their own', async () => {
  const inference = await infer('kinds', {
    customers: { header: 'customer_id,company_name,since', rows: rows(60, (i) => [i + 1, `Firm ${i} Ltd`, moment(i)]) },
    clientes: {
      header: 'cod_cliente,razao_social,cidade',
      rows: rows(60, (i) => [`K${i}`, `Casa ${i} SA`, `c${i % 5}`]),
    },
    clients: {
      header: 'client_no,name,company_name',
      rows: rows(60, (i) => [`N-${i}`, `Ana ${i}`, `Works ${i} Ltd`]),
    },
    employees: {
      header: 'employee_no,company_name',
      rows: rows(60, (i) => [`E-${i}`, `House ${i} Ltd`]),
    },
  });
  const told = ['customers', 'clientes', 'clients', 'employees'].map((name) => {
    const { entityKind, columns } = tableOf(inference, name);
    return [entityKind, columns.filter(({ pii }) => pii).map((column) => column.name)];
  });
  expect(told).toEqual([
    ['company', []],
    ['company', []],
    ['individual', ['name']],
    ['individual', []],
  ]);
});

test('what a table is called after happens is proposed as that where its rows have a time, referred to or not', async () => {
  const inference = await infer('happenings', {
    invoices: {
      header: 'invoice_id,issued_at,total',
      rows: rows(80, (i) => [`I${100 + i}`, moment(i), 10 + i]),
    },
    pagamentos: {
      header: 'pagamento_id,invoice_id,pago_em',
      rows: rows(160, (i) => [`P${100 + i}`, `I${100 + (i % 80)}`, moment(i)]),
    },
    pedidos_de_venda: { header: 'numero,emitido_em', rows: rows(80, (i) => [`V${100 + i}`, moment(i)]) },
    payment_methods: { header: 'method_id,label', rows: rows(8, (i) => [`M${i}`, `by ${i}`]) },
    orders: { header: 'order_id,weight', rows: rows(80, (i) => [`O${100 + i}`, i % 7]) },
  });
  const kinds = ['invoices', 'pagamentos', 'pedidos_de_venda', 'payment_methods', 'orders'].map(
    (name) => tableOf(inference, name).entityKind,
  );
  expect(kinds).toEqual(['event', 'event', 'event', undefined, undefined]);
});
