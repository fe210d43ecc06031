import type { Contract } from '../../ml/contract/contract.ts';
import { column, key, type Made, table } from './contract-parts.ts';
import { sectors, states } from './lender-population.ts';

/** The lender's tables. The columns of the CSV files are these, in this order. */
export const lenderContract: Contract = {
  id: 'demo-lender',
  version: '1.0.0',
  tables: [
    table('customers', 'Companies and people with an account at the lender.', { column: 'joined_at' }, 'company', [
      column('legal_document', 'string', {
        ...{ required: true, unique: true, pii: true, graphKey: true, format: 'identifier' },
        description: 'CNPJ of a company, CPF of a person. Made up.',
      }),
      column('kind', 'string', { required: true, enum: ['company', 'individual'] }),
      column('name', 'string', { required: true, pii: true, format: 'text' }),
      column('state', 'string', { required: true, enum: states }),
      column('sector', 'string', { required: true, enum: sectors }),
      column('born_at', 'date', { required: true, description: 'Day of foundation or of birth.' }),
      column('joined_at', 'date', { required: true }),
      column('monthly_income', 'number', {
        ...{ required: true, minimum: 0, unit: 'BRL', format: 'money' },
        description: 'Monthly revenue or income, declared when joining.',
      }),
      column('synthetic', 'boolean', { required: true, description: 'Always true: nobody in this file exists.' }),
    ]),
    table('accounts', 'Deposit accounts.', { column: 'opened_at' }, 'other', [
      key('account_id'),
      column('customer', 'string', { required: true, to: 'customers.legal_document', businessName: 'account holder' }),
      column('opened_at', 'date', { required: true }),
      column('type', 'string', { required: true, enum: ['checking', 'savings'] }),
    ]),
    table('balances', 'What was in an account at the end of a quarter.', { column: 'dated' }, 'event', [
      key('balance_id'),
      column('account_id', 'string', { required: true, to: 'accounts.account_id' }),
      column('dated', 'date', { required: true }),
      column('balance', 'number', { required: true, unit: 'BRL', format: 'money' }),
      column('deposits', 'integer', {
        ...{ required: true, minimum: 0, businessName: 'number of deposits' },
        description: 'Deposits made in the quarter.',
      }),
    ]),
    table('invoices', 'Sales on credit of one customer to another.', { column: 'issued_at' }, 'event', [
      key('invoice_id'),
      column('customer', 'string', { required: true, to: 'customers.legal_document', businessName: 'seller' }),
      column('buyer', 'string', { required: true, to: 'customers.legal_document' }),
      column('issued_at', 'date', { required: true }),
      column('due_date', 'date', { required: true, planned: true }),
      column('amount', 'number', { required: true, minimum: 0, unit: 'BRL', format: 'money' }),
      ...paymentColumns(),
    ]),
    table('loans', 'Loans, as they were granted.', { column: 'granted_at' }, 'asset', [
      key('loan_id'),
      column('customer', 'string', { required: true, to: 'customers.legal_document', businessName: 'borrower' }),
      column('granted_at', 'date', { required: true }),
      column('amount', 'number', { required: true, minimum: 0, unit: 'BRL', format: 'money' }),
      column('term_months', 'integer', { required: true, minimum: 1, maximum: 60, businessName: 'term in months' }),
      column('rate', 'number', {
        ...{ required: true, minimum: 0, unit: 'percent per month', businessName: 'interest rate' },
      }),
      column('product', 'string', {
        ...{ required: true, enum: ['working_capital', 'equipment', 'receivables', 'personal', 'vehicle'] },
      }),
      column('matures_at', 'date', { required: true, planned: true }),
    ]),
    table(
      'instalments',
      'The schedule of each loan, written when it is granted; the payment is filled in later.',
      { reference: 'loan_id', offset: 0 },
      'event',
      [
        key('instalment_id'),
        column('loan_id', 'string', { required: true, to: 'loans.loan_id' }),
        column('number', 'integer', { required: true, minimum: 1, businessName: 'instalment number' }),
        column('due_date', 'date', { required: true, planned: true }),
        column('amount', 'number', { required: true, minimum: 0, unit: 'BRL', format: 'money' }),
        ...paymentColumns(),
      ],
    ),
    table('payments', 'Instalments paid, in the ledger of the day they were.', { column: 'paid_at' }, 'event', [
      key('payment_id'),
      column('customer', 'string', { required: true, to: 'customers.legal_document', businessName: 'borrower' }),
      column('loan_id', 'string', { required: true, to: 'loans.loan_id' }),
      column('paid_at', 'date', { required: true }),
      column('amount', 'number', { required: true, minimum: 0, unit: 'BRL', format: 'money' }),
      column('days_late', 'integer', { required: true, description: 'Negative when paid early.' }),
    ]),
  ],
};

/** The columns of a payment, which are empty until the bill is settled. */
function paymentColumns(): Made[] {
  return [
    column('paid_at', 'date'),
    column('paid_amount', 'number', { minimum: 0, unit: 'BRL', format: 'money', knownFrom: 'paid_at' }),
    column('days_late', 'integer', { knownFrom: 'paid_at', description: 'Negative when paid early.' }),
  ];
}
