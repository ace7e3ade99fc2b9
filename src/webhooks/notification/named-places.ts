import type { Queryable } from '../../platform/database/connection/queryable.js';
import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import type { EventRecord } from '../../kernel/domain/event-record.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { readVersionedPlaces, stateOn } from '../../auth/locations/place-versions.js';
import { sql } from '../../kernel/sql/sql.js';

export interface NamedPlaces {
  /** Null if the office is unknown or has no area. */
  readonly areaOf: (office: Uuid) => Uuid | null;
  /** Null if the place is unknown. */
  readonly nameOn: (place: Uuid, day: CalendarDate) => string | null;
}

/** As the transaction sees them. */
export async function readNamedPlaces(transaction: Queryable, records: readonly EventRecord[]): Promise<NamedPlaces> {
  const named = records.flatMap(({ legalStatuses, updatedAtLocation }) => [
    legalStatuses.REGISTERED?.createdAtLocation ?? null,
    updatedAtLocation,
  ]);
  const offices = [...new Set(named)].filter((office) => office !== null);
  const places = await readVersionedPlaces(
    transaction,
    sql`p.id in (select unnest(${offices}::uuid[])
          union select part_of from place where id = any (${offices}::uuid[]))`,
  );
  const known = new Map(places.map((place) => [place.id, place]));
  return {
    areaOf: (office) => known.get(office)?.partOf ?? null,
    nameOn: (place, day) => {
      const versions = known.get(place)?.versions;
      return versions === undefined ? null : stateOn(versions, day).name;
    },
  };
}

/** The day of the event, or else of the record's creation (L-2). */
export const dayOfNames = ({ dateOfEvent, createdAt }: EventRecord, timezone: string): CalendarDate =>
  dateOfEvent ?? dayIn(timezone, new Date(createdAt));
