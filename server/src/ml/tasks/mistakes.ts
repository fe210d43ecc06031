import { Failure, type Problem } from '../../lib/failure.ts';
import { sayWorded, type Worded } from '../../lib/files/worded.ts';

/** What is wrong with a question, or keeps it from being learned, in English, by its code. */
const wording = {
  // Of how a query is written. What is expected is said in English, but for what stands in a query itself.
  expected: ({ expected, found, meant }: Expected & Meant) =>
    `expected ${expected}, found ${found ?? 'the end'}${tellMeant(meant)}`,
  reserved_word: ({ expected, found }: Expected) =>
    `expected ${expected}, found ${found}; a name spelt like this stands in double quotes`,
  unquoted_name: ({ name }: Named) =>
    `a name that is more than one word stands in double quotes; did you mean ${name}?`,
  no_days: ({ expected, found, meant }: Expected & { readonly meant: number | null }) =>
    `expected ${expected}, found ${found}${meant === null ? '' : `: months and years differ in length; did you mean ${meant}d?`}`,
  no_clause: ({ clauses, found, meant, hint }: NoClause & Meant) => {
    const hints = {
      where: '; WHERE stands right after the table of FOR',
      for: '; FOR stands before the table to predict for',
    };
    return `expected ${clauses.join(', ')} or the end, found ${found}${tellMeant(meant)}${hint === null ? '' : hints[hint]}`;
  },
  without_entity: () => 'expected FOR and the table to predict for, such as FOR customers',
  without_horizon: () => 'expected WITHIN and the days to look ahead, such as WITHIN 30d',
  name_for_value: ({ name }: { readonly name: string }) =>
    `expected a value; a text stands in single quotes: '${name}'`,
  unclosed: ({ mark }: { readonly mark: string }) => `a closing ${mark} is missing`,
  unreadable: ({ text, isNumber }: { readonly text: string; readonly isNumber: boolean }) =>
    `${text} cannot be read${isNumber ? ': expected a number, a day such as 2024-01-31, or days such as 90d' : ''}`,
  given_twice: ({ word }: { readonly word: string }) => `${word} is given twice`,
  horizon_twice: ({ days }: { readonly days: number }) => `the horizon ${days}d is given twice`,
  many_horizons: ({ count, most }: { readonly count: number; readonly most: number }) =>
    `${count} horizons; at most ${most}`,
  until_before_from: () => 'UNTIL lies before FROM',
  every_and_once: () => 'EVERY and ONCE exclude each other',
  other_kind: ({ natural, given, isCompared }: { natural: string; given: string; isCompared: boolean }) =>
    `what is predicted makes a ${natural} task, not a ${given} one${isCompared ? '; compare it, as in count(…) > 0' : ''}`,
  other_table: ({ table, found }: OfTable & { readonly found: string }) =>
    `expected a column of ${table}: conditions read the table they stand with, not ${found}`,
  deep_conditions: ({ most }: { readonly most: number }) => `conditions nest deeper than ${most}`,
  // Of what it names in the contract.
  unknown_entity: ({ name, tables, meant }: Named & OfTables & Meant) =>
    `entity ${name} is not a table of the contract (${tables.join(', ')})${tellMeant(meant)}`,
  unknown_table: ({ what, name, tables, meant }: Named & OfTables & Meant & { readonly what: string }) =>
    `${what} ${name} is not in the contract, which has ${tables.join(', ')}${tellMeant(meant)}`,
  unknown_column: ({ of, name, table, columns, meant }: Named & OfTable & UnknownColumn & Meant) =>
    `${of === 'outcome' ? 'outcome names ' : ''}${name} is not a column of ${table}, which has ${columns.join(', ')}${tellMeant(meant)}`,
  no_date: ({ column, type }: Typed) => `${column} must be a date, and is ${a(type)}`,
  no_number: ({ column, type }: Typed) => `${column} is not numeric but ${a(type)}`,
  no_category: ({ column, type }: Typed) => `next takes a category, and ${column} is ${a(type)}`,
  no_time: ({ asks, table, dates }: OfTable & WithoutTime) => {
    const remedy =
      dates.length > 0
        ? `give it an eventTime, perhaps ${dates.join(' or ')}`
        : 'it has no column of dates; one of texts is none: give it the type date or timestamp, and its form';
    const without = `table ${table} has no event time in the contract: ${remedy}`;
    switch (asks) {
      case 'target':
        return `target ${without}`;
      case 'once':
        return `ONCE asks about each row on its own day, and ${without}`;
      case 'last':
        return `IN LAST needs dated rows, and ${without}`;
      case 'opening':
        return `${without}; or name the column with the day of the opening, delinquency(${table}(opened), …)`;
    }
  },
  no_path: ({ table, to }: OfPath) => `no reference leads from ${table} to ${to}`,
  many_paths: ({ table, to, paths }: OfPath & { readonly paths: readonly string[] }) =>
    `${table} leads to ${to} in ${paths.length} ways; choose one with ${paths.map((path) => `VIA ${path}`).join(' or ')}`,
  no_reference: ({ column, table, columns }: OfTable & { column: string; columns: readonly string[] }) =>
    `${column} is not a reference of ${table}, which has ${columns.join(', ') || 'none'}`,
  other_end: ({ path, table, to }: OfPath & { readonly path: string }) => `${path} leads to ${table}, not to ${to}`,
  other_type: ({ column, value, type }: Typed & { readonly value: string }) =>
    `where compares ${column} with ${value}; ${type === 'time' ? 'times of day cannot be compared' : `it takes ${takenBy[type] ?? a(type)}`}`,
  not_allowed: ({ column, value, allowed, isMore }: NotAllowed) =>
    `where compares ${column} with ${value}; the contract allows ${allowed.join(', ')}${isMore ? ', …' : ''}`,
  unknown_named: ({ field, name, of, tables, meant }: UnknownNamed & Meant) => {
    const what = { table: 'not a table', column: 'not a column', either: 'neither a column nor a table' }[of];
    const known = tables === null ? '' : ` (${tables.join(', ')})`;
    const hint = of === 'table' ? '' : '; write table.column';
    return `${field} names ${name}, which is ${what} of the contract${known}${meant === null ? hint : tellMeant(meant)}`;
  },
  entity_ignored: ({ name }: Named) => `ignore names ${name}, which is the entity to predict for`,
  outcome_with_table: ({ name, column }: Named & { readonly column: string }) =>
    `outcome names ${name}: write the column alone, ${column}`,
  outcome_of_key: ({ name }: Named) =>
    `outcome names ${name}, which says what row it is and when; an outcome says how it went`,
  outcome_hidden: ({ name }: Named) =>
    `hide and outcome both name ${name}: hide has it read of no row, outcome of all rows but its own`,
  no_order: ({ column }: { readonly column: string }) => `${column} is true or false: compare it with = or !=`,
  delinquency_of_other: ({ table, entity }: OfTable & { readonly entity: string }) =>
    `a delinquency without WITHIN is asked of ${table} itself: FOR ${table}, or WITHIN and the days to look ahead for ${entity}`,
  due_elsewhere: ({ table, name }: OfTable & Named) =>
    `the day it is due is read of ${table}, whose rows are asked about; where it stands in ${name}, ask about ${name}: exists(${name} OVERDUE 30d (due, ${table}.paid))`,
  unclear_obligations: ({ table, choices }: OfTable & { readonly choices: readonly string[] }) =>
    `which table holds what is due of ${table} ${choices.length === 0 ? 'is not clear: it needs a planned date and a date of payment' : `can be read in ${choices.length} ways: ${choices.join(' or ')}`}; name it, as in delinquency(${table}, …, instalment(due, paid))`,
  // Of what there is to learn from.
  no_labels: ({ task, newest, asked, days }: NoLabels) => {
    const why =
      asked === null
        ? 'nobody is asked about at any anchor'
        : `no window of ${days} after an anchor, from ${asked} on, ends by then and says anything`;
    const data = newest === null ? 'no table has dated rows' : `the newest row is of ${newest}`;
    return `task ${task} has no labels to learn from: ${data}, and ${why}`;
  },
  unobserved: ({ task, table, newest }: OfTable & { readonly task: string; readonly newest: string | null }) =>
    `task ${task} has no labels to learn from: of no ${table} the observation point lies by ${newest ?? 'never'}, the newest row`,
  unlabelled: ({ task, output }: OfOutput) => `task ${task}: ${output} has no labels to learn from`,
  equal_labels: ({ task, output, count, label }: OfOutput & { readonly count: number; readonly label: string }) =>
    `task ${task}: all ${count} labels of ${output} are ${label}; a model needs at least two different ones`,
  leakage: ({ task, names, more, said, remedies: { hide, ignore, outcome, trust } }: Leakage) => {
    const isOne = names.length === 1 && more === 0;
    const columns = outcome.map((name) => name.slice(name.lastIndexOf('.') + 1));
    const ways = [
      hide.length > 0 &&
        'give what was written later its knownFrom in the contract, or make it mutable where no date tells since when it is known',
      hide.length < names.length && 'give rows that came later than their date says their knownAt in the contract',
      hide.length > 0 && `leave it out (hide: [${hide.join(', ')}] in the task)`,
      ignore.length > 0 && `leave the table out (ignore: [${ignore.join(', ')}] in the task)`,
      columns.length > 0 &&
        `read it of earlier rows only where it is the row's own outcome (outcome: [${columns.join(', ')}])`,
    ].filter((way) => way !== false);
    return `task ${task}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${isOne ? 'tells' : 'tell'} the label for certain: nothing was learned. ${said}. To mend it, ${ways.join(', ')}, or, where it is known in time after all, accept it (trust: [${trust.join(', ')}])`;
  },
  lacks_columns: ({ file, lacking, found, more }: LacksColumns) => {
    const told = lacking.map(
      ({ as, column, meant }) => `the ${as} column ${column}${meant === null ? '' : ` (did you mean ${meant}?)`}`,
    );
    return `${file} lacks ${told.join(' and ')}; it has ${found.join(', ') || 'no columns'}${more > 0 ? ` and ${more} more` : ''}`;
  },
  many_classes: ({ task, table, count, most }: OfTable & { task: string; count: number; most: number }) =>
    `task ${task}: ${table} has ${count} categories to predict; at most ${most}`,
};

type Expected = { readonly expected: string; readonly found: string | null };
type NoClause = {
  readonly clauses: readonly string[];
  readonly found: string;
  readonly hint: 'where' | 'for' | null;
};
/** The word that was probably meant. */
type Meant = { readonly meant: string | null };
type Named = { readonly name: string };
type OfTable = { readonly table: string };
type OfTables = { readonly tables: readonly string[] };
type UnknownColumn = { readonly of: 'outcome' | 'target'; readonly columns: readonly string[] };
type UnknownNamed = Named & {
  readonly field: string;
  readonly of: 'table' | 'column' | 'either';
  /** The tables that there are, where one of them is meant. */
  readonly tables: readonly string[] | null;
};
type Typed = { readonly column: string; readonly type: string };
type WithoutTime = { readonly asks: 'target' | 'once' | 'last' | 'opening'; readonly dates: readonly string[] };
type OfPath = OfTable & { readonly to: string };
type NotAllowed = {
  readonly column: string;
  readonly value: string;
  readonly allowed: readonly string[];
  readonly isMore: boolean;
};
type NoLabels = {
  readonly task: string;
  /** The day of the newest row; null where no row is dated. */
  readonly newest: string | null;
  /** The first day that is asked about; null where nobody is. */
  readonly asked: string | null;
  readonly days: string;
};
/** What tells the label: the first places, and how many more; of the very first, in words and in numbers. */
type Leakage = {
  readonly task: string;
  readonly names: readonly string[];
  readonly more: number;
  /** Of these places, those that each field of a task can mend. */
  readonly remedies: Readonly<Record<'hide' | 'ignore' | 'outcome' | 'trust', readonly string[]>>;
  readonly said: string;
  /** What is read there, in Portuguese; '' of a table as a whole. */
  readonly what: string;
  readonly measure: 'auroc' | 'rank_correlation';
  readonly strength: number;
};
/** What a column of a label file is there for. */
export type LabelColumnRole = 'key' | 'time' | 'label' | 'known';

type LacksColumns = {
  readonly file: string;
  readonly lacking: readonly { readonly column: string; readonly as: LabelColumnRole; readonly meant: string | null }[];
  /** The first columns that there are, and how many more. */
  readonly found: readonly string[];
  readonly more: number;
};
type OfOutput = { readonly task: string; readonly output: string };

/** What is wrong: a code, and the values that its sentence names. */
export type Mistake = Worded<typeof wording>;

export function sayMistake(mistake: Mistake): string {
  return sayWorded(wording, mistake);
}

function tellMeant(meant: string | null): string {
  return meant === null ? '' : `; did you mean ${meant}?`;
}

function a(type: string): string {
  return type === 'string' ? 'text' : type === 'integer' ? 'an integer' : `a ${type}`;
}

/** What columns of a type are compared with. */
const takenBy: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  integer: 'a number',
  boolean: 'true or false',
  date: 'a day such as 2024-01-31',
  timestamp: 'a day such as 2024-01-31',
};

/** A mistake as failures and problems carry it; one that has no code is a sentence. */
export function tellMistake(mistake: Mistake | string): Pick<Problem, 'message' | 'because'> {
  return typeof mistake === 'string' ? { message: mistake } : { message: sayMistake(mistake), because: mistake };
}

export function refuseMistake(mistake: Mistake): Failure {
  return new Failure('invalid', sayMistake(mistake), { because: mistake });
}
