/** A process that relays the events of a database, given its address, until it is killed; test support. */
import { sql } from 'kysely';
import { openDb } from '../src/lib/db/db.ts';
import { startRepeating } from '../src/lib/repeat.ts';
import { keepFeed } from '../src/resources/events/keep-feed.ts';
import type { DB } from '../src/schema/tables.ts';
import { type EventReader, handOn } from '../src/trail/outbox/hand-on.ts';
import { numberEvents } from '../src/trail/outbox/number.ts';

const everyMs = 5;
const db = openDb<DB>({ connectionString: process.argv[2] }, { max: 4 });

/** Notes each event where nothing is unique, so that none hides that it came twice. */
const noting: EventReader = {
  name: 'noting',
  async read(tx, events) {
    for (const { id } of events) await sql`insert into noted (event_id) values (${id})`.execute(tx);
  },
};
const works = [
  { name: 'number', run: (signal: AbortSignal) => numberEvents(db, signal, { most: 50 }) },
  ...[keepFeed, noting].map((reader) => ({
    name: reader.name,
    run: (signal: AbortSignal) => handOn(db, reader, signal, 20),
  })),
];
startRepeating(
  works.map((work) => ({ everyMs, ...work })),
  console,
);
console.log('relaying');
