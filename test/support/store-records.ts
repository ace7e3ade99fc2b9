import type { Database, Transaction } from '../../src/database/database.js';
import type { EventRecord, LegalStatus, RegisteredStatus } from '../../src/domain/event-record.js';
import { factsOf } from '../../src/events/search/facts.js';
import { termsOf } from '../../src/events/search/terms.js';
import { Sql, sql } from '../../src/sql/sql.js';

/** What search reads of a record beside the record itself: who notified it, and where. */
export interface Notification {
  readonly createdBy: string | null;
  readonly createdAtLocation: string | null;
}

const NOT_NOTIFIED: Notification = { createdBy: null, createdAtLocation: null };

/** Puts records where a search looks for them. */
export const storeRecords = (database: Database, records: readonly EventRecord[], notified = NOT_NOTIFIED) =>
  database.transaction(async (transaction) => {
    for (const record of records) await storeRecord(transaction, record, notified);
  });

async function storeRecord(transaction: Transaction, record: EventRecord, notified: Notification): Promise<void> {
  const [event] = await transaction.query<{ seq: string }>(
    sql`insert into event (id, type, tracking_id, created_at, updated_at)
        values (${record.id}, ${record.type}, ${record.trackingId}, ${record.createdAt}, ${record.updatedAt}) returning seq`,
  );
  const { DECLARED, REGISTERED } = record.legalStatuses;
  const values: readonly (readonly [Sql, unknown])[] = [
    [sql`seq`, event?.seq],
    [sql`id`, record.id],
    [sql`type`, record.type],
    [sql`status`, record.status],
    [sql`tracking_id`, record.trackingId],
    [sql`created_at`, record.createdAt],
    [sql`created_by`, record.createdBy],
    [sql`created_by_user_type`, record.createdByUserType],
    [sql`created_at_location`, record.createdAtLocation],
    [sql`updated_at`, record.updatedAt],
    [sql`updated_by`, record.updatedBy],
    [sql`updated_by_user_role`, record.updatedByUserRole],
    [sql`updated_at_location`, record.updatedAtLocation],
    [sql`assigned_to`, record.assignedTo],
    [sql`date_of_event`, record.dateOfEvent],
    [sql`place_of_event`, record.placeOfEvent],
    ...declared(DECLARED),
    ...registered(REGISTERED),
    [sql`notified_created_by`, notified.createdBy],
    [sql`notified_created_at_location`, notified.createdAtLocation],
    [sql`flags`, record.flags],
    [sql`terms`, termsOf(record)],
  ];
  await transaction.query(
    sql`insert into event_search (${Sql.join(
      values.map(([column]) => column),
      ', ',
    )}) values (${Sql.join(
      values.map(([, value]) => sql`${value}`),
      ', ',
    )})`,
  );
  await transaction.query(
    sql`insert into event_document (seq, body, facts)
        values (${event?.seq}, ${JSON.stringify(record)}, ${JSON.stringify(factsOf(record.declaration))})`,
  );
}

const declared = (status: LegalStatus | null): [Sql, unknown][] => [
  [sql`declared_created_at`, status?.createdAt],
  [sql`declared_created_by`, status?.createdBy],
  [sql`declared_created_by_user_type`, status?.createdByUserType],
  [sql`declared_created_at_location`, status?.createdAtLocation],
  [sql`declared_created_by_role`, status?.createdByRole],
  [sql`declared_accepted_at`, status?.acceptedAt],
];

const registered = (status: RegisteredStatus | null): [Sql, unknown][] => [
  [sql`registered_created_at`, status?.createdAt],
  [sql`registered_created_by`, status?.createdBy],
  [sql`registered_created_by_user_type`, status?.createdByUserType],
  [sql`registered_created_at_location`, status?.createdAtLocation],
  [sql`registered_created_by_role`, status?.createdByRole],
  [sql`registered_accepted_at`, status?.acceptedAt],
  [sql`registration_number`, status?.registrationNumber],
];
