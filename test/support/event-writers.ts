import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import type { Database } from '../../src/platform/database/pools/database.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import type { EventConfiguration } from '../../src/kernel/domain/event-configuration/event-configuration.js';
import { parseRegistrationNumberPattern } from '../../src/kernel/domain/registration-number-pattern.js';
import { IncomingConfirmations } from '../../src/events/confirmation/incoming-confirmations.js';
import { EventOperations } from '../../src/events/operations/event-operations.js';
import { RegistrationNumbers } from '../../src/events/write/registration-numbers.js';
import { EventWriter } from '../../src/events/write/event-writer.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy-cache.js';
import { RecordAccess } from '../../src/events/search/stored-access.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aUuid } from './builders/a-uuid.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** Of the connection that a process loses. */
export class Crash extends Error {}

/** The operations as one process of the service does them, without its routes. */
export interface EventProcess {
  readonly writer: EventWriter;
  readonly operations: EventOperations;
  readonly confirmations: IncomingConfirmations;
  /** How many statements have been sent since `crashAt`. */
  readonly sent: () => number;
  /** From now on, the statement with this number (from 0) and those after it are not answered; `Infinity`: none. */
  readonly crashAt: (statement: number) => void;
}

/** A process on this database; every place is a location. */
export function eventProcess(database: Database, configuration: EventConfiguration = WITHOUT_FORMS): EventProcess {
  const pattern = parseRegistrationNumberPattern('{sequence:4}');
  if (pattern === undefined) throw new Error('the pattern is none');
  let crashAt = Infinity;
  let sent = 0;
  const counted = (begun: Queryable): Queryable => ({
    query: (statement) => {
      sent += 1;
      return sent > crashAt ? Promise.reject(new Crash()) : begun.query(statement);
    },
  });
  const transactionFrom: Database['transactionFrom'] = (open, work, settings) =>
    database.transactionFrom(
      (begun) => open(counted(begun)),
      (begun, opened) => work({ client: begun.client, ...counted(begun) }, opened),
      settings,
    );
  const numbers = new RegistrationNumbers(database, { REGISTRATION_NUMBER_PATTERN: pattern, TIMEZONE: 'UTC' });
  const audit = new AuditLog(new AuditWriter(new AuditDatabase(database.primary)));
  const writer = new EventWriter({ transactionFrom }, numbers, database.primary, configuration, audit);
  const places = { placeOf: () => Promise.resolve(aUuid(5)) };
  const access = new RecordAccess(new Hierarchy([]));
  return {
    writer,
    operations: new EventOperations(writer, access, configuration, places, NO_DUPLICATES, EVERYTHING_SHOWN),
    confirmations: new IncomingConfirmations(writer, access, configuration, places, EVERYTHING_SHOWN),
    sent: () => sent,
    crashAt: (statement) => {
      crashAt = statement;
      sent = 0;
    },
  };
}

const TABLES = [
  ...['event', 'event_history', 'event_search', 'event_document', 'performed_operation', 'audit_log'],
  ...['bitmap_dirty', 'fuzzy_word', 'data_shape'],
] as const;

/** How many rows each table has that an operation writes. */
export async function rowsIn(database: Database): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const [row] = await database.query<{ count: number }>(COUNTS[table]);
    counts[table] = row?.count ?? 0;
  }
  return counts;
}

const COUNTS = {
  event: sql`select count(*)::int as count from event`,
  event_history: sql`select count(*)::int as count from event_history`,
  event_search: sql`select count(*)::int as count from event_search`,
  event_document: sql`select count(*)::int as count from event_document`,
  performed_operation: sql`select count(*)::int as count from performed_operation`,
  audit_log: sql`select count(*)::int as count from audit_log`,
  bitmap_dirty: sql`select count(*)::int as count from bitmap_dirty`,
  fuzzy_word: sql`select count(*)::int as count from fuzzy_word`,
  data_shape: sql`select count(*)::int as count from data_shape`,
} as const;

const NO_DUPLICATES = { duplicatesOf: () => Promise.resolve([]) };
export const EVERYTHING_SHOWN = {
  shown: <View>(view: View) => Promise.resolve(view),
  isKnown: () => Promise.resolve(true),
};
