import { areaTermsOf } from '../derived/areas/area-terms-of.js';
import type { Sql } from '../sql/sql.js';
import { sql } from '../sql/sql.js';
import type { RecordRow } from './record-row.js';

interface Column {
  readonly name: Sql;
  /** The type as which an array of its values is sent. */
  readonly sent: Sql;
  readonly value: (row: RecordRow) => string | null;
  /** What is stored, of the row `new` as it was sent, when that is not the value itself. */
  readonly stored?: Sql;
}

const TEXT = sql`text[]`;
const UUID = sql`uuid[]`;
const INSTANT = sql`timestamptz[]`;

const declared = ({ record }: RecordRow) => record.legalStatuses.DECLARED;
const registered = ({ record }: RecordRow) => record.legalStatuses.REGISTERED;

/** The columns of `event_search` beside `seq`, and where each one comes from. */
export const SEARCH_COLUMNS: readonly Column[] = [
  { name: sql`id`, sent: UUID, value: ({ record }) => record.id },
  { name: sql`type`, sent: TEXT, value: ({ record }) => record.type },
  { name: sql`status`, sent: TEXT, value: ({ record }) => record.status },
  { name: sql`tracking_id`, sent: TEXT, value: ({ record }) => record.trackingId },
  { name: sql`created_at`, sent: INSTANT, value: ({ record }) => record.createdAt },
  { name: sql`created_by`, sent: TEXT, value: ({ record }) => record.createdBy },
  { name: sql`created_by_user_type`, sent: TEXT, value: ({ record }) => record.createdByUserType },
  { name: sql`created_at_location`, sent: UUID, value: ({ record }) => record.createdAtLocation },
  { name: sql`updated_at`, sent: INSTANT, value: ({ record }) => record.updatedAt },
  { name: sql`updated_by`, sent: TEXT, value: ({ record }) => record.updatedBy },
  { name: sql`updated_by_user_role`, sent: TEXT, value: ({ record }) => record.updatedByUserRole },
  { name: sql`updated_at_location`, sent: UUID, value: ({ record }) => record.updatedAtLocation },
  { name: sql`assigned_to`, sent: TEXT, value: ({ record }) => record.assignedTo },
  { name: sql`date_of_event`, sent: sql`date[]`, value: ({ record }) => record.dateOfEvent },
  { name: sql`place_of_event`, sent: UUID, value: ({ record }) => record.placeOfEvent },
  { name: sql`declared_created_at`, sent: INSTANT, value: (row) => declared(row)?.createdAt ?? null },
  { name: sql`declared_created_by`, sent: TEXT, value: (row) => declared(row)?.createdBy ?? null },
  { name: sql`declared_created_by_user_type`, sent: TEXT, value: (row) => declared(row)?.createdByUserType ?? null },
  { name: sql`declared_created_at_location`, sent: UUID, value: (row) => declared(row)?.createdAtLocation ?? null },
  { name: sql`declared_created_by_role`, sent: TEXT, value: (row) => declared(row)?.createdByRole ?? null },
  { name: sql`declared_accepted_at`, sent: INSTANT, value: (row) => declared(row)?.acceptedAt ?? null },
  { name: sql`registered_created_at`, sent: INSTANT, value: (row) => registered(row)?.createdAt ?? null },
  { name: sql`registered_created_by`, sent: TEXT, value: (row) => registered(row)?.createdBy ?? null },
  {
    name: sql`registered_created_by_user_type`,
    sent: TEXT,
    value: (row) => registered(row)?.createdByUserType ?? null,
  },
  { name: sql`registered_created_at_location`, sent: UUID, value: (row) => registered(row)?.createdAtLocation ?? null },
  { name: sql`registered_created_by_role`, sent: TEXT, value: (row) => registered(row)?.createdByRole ?? null },
  { name: sql`registered_accepted_at`, sent: INSTANT, value: (row) => registered(row)?.acceptedAt ?? null },
  { name: sql`registration_number`, sent: TEXT, value: (row) => registered(row)?.registrationNumber ?? null },
  { name: sql`notified_created_by`, sent: TEXT, value: ({ notified }) => notified?.createdBy ?? null },
  { name: sql`notified_created_at_location`, sent: UUID, value: ({ notified }) => notified?.createdAtLocation ?? null },
  // Lists of unequal length make no array of arrays, so they go as text.
  { name: sql`flags`, sent: TEXT, value: ({ record }) => textArray(record.flags), stored: sql`flags::text[]` },
  {
    name: sql`terms`,
    sent: TEXT,
    value: ({ terms }) => terms,
    stored: sql`terms::bigint[] || ${areaTermsOf(sql`new`)}`,
  },
];

/** A list of texts as Postgres spells an array: `{"a","b"}`. */
const textArray = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
