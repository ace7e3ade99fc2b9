import type { Database } from '../../src/platform/database/pools/database.js';
import { areaTerm } from '../../src/events/index/areas/area-terms.js';
import type { KnownAreas } from '../../src/events/index/areas/known-areas.js';
import { settleAreaTerms } from '../../src/events/index/areas/settle-area-terms.js';
import { writeAreaTerms } from '../../src/events/index/areas/write-area-terms.js';
import type { EventRecord } from '../../src/kernel/domain/event-record.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { Hierarchy } from '../../src/auth/locations/hierarchy.js';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { readPlaces } from '../../src/auth/locations/place-versions.js';
import { checkDerived } from '../../src/events/reindex/check/check-derived.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { aRecord } from './builders/a-record.js';
import { aUuid } from './builders/a-uuid.js';
import { searchRecords } from './search-records.js';
import { WITHOUT_FORMS } from './without-forms.js';

/** The places of `COUNTRY`. */
export const [NORTH, SOUTH, LAKE, WARD, OFFICE] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4), aUuid(5)];

/** The lake district lies in the north; in it a ward, in that an office. */
export const COUNTRY = {
  administrativeAreas: [
    { id: NORTH, name: 'North', partOf: null },
    { id: SOUTH, name: 'South', partOf: null },
    { id: LAKE, name: 'Lake', partOf: NORTH },
    { id: WARD, name: 'Ward', partOf: LAKE },
  ],
  locations: [{ id: OFFICE, name: 'Office', partOf: WARD }],
};

/** A record that was last updated at a place. */
export const recordAt = (place: Uuid): EventRecord => aRecord({ updatedAtLocation: place });

/** A test's own database, and the areas as one process of the service knows them. */
interface Here {
  readonly database: Database;
  readonly areas: KnownAreas;
}

/** Moves areas in a database, and searches within them as the service does. */
export function areasIn(here: () => Here) {
  const importPlaces = (file: unknown) => importLocations(here().database, file, writeAreaTerms);
  const move = (area: Uuid, partOf: Uuid | null) =>
    importPlaces({ administrativeAreas: [{ id: area, name: 'Moved', partOf }] });
  const settle = () => settleAreaTerms(here().database, { writersMs: 200 });

  /** Other tests write on the same server, and their transactions are waited for too. */
  async function settled(): Promise<void> {
    while (!(await settle()));
  }

  const hierarchyNow = async () => new Hierarchy(await readPlaces(here().database));

  /** How many records with that name were updated within the area, by a search as the service runs it. */
  async function countWithin(area: Uuid, places?: Hierarchy): Promise<number> {
    const hierarchy = places ?? (await hierarchyNow());
    const query = {
      clauses: [
        {
          updatedAtLocation: { type: 'within', location: area },
          data: { 'child.name': { type: 'exact', term: 'Musonda' } },
        },
      ],
    };
    const { total } = await searchRecords(
      here().database,
      { query },
      { below: (id) => hierarchy.below(id), areaTerm: (column, id) => here().areas.term(column, id) },
    );
    return total;
  }

  const countsWithin = async (...ids: readonly Uuid[]): Promise<readonly number[]> => {
    const counts: number[] = [];
    const hierarchy = await hierarchyNow();
    for (const id of ids) counts.push(await countWithin(id, hierarchy));
    return counts;
  };

  /** Of these areas, those by whose terms a search finds records that were updated within them. */
  async function trusted(...ids: readonly Uuid[]): Promise<readonly Uuid[]> {
    await here().areas.refresh();
    return ids.filter((id) => here().areas.term('updated_at_location', id) !== undefined);
  }

  /** The areas by whose terms the record is found, among all there are. */
  async function areasOf({ id }: EventRecord): Promise<readonly Uuid[]> {
    const [row] = await here().database.query<{ terms: string[] }>(
      sql`select terms from event_search where id = ${id}`,
    );
    return [NORTH, SOUTH, LAKE, WARD, OFFICE].filter((area) =>
      row?.terms.includes(String(areaTerm('updated_at_location', area).hash)),
    );
  }

  const differences = async () => (await checkDerived(here().database, WITHOUT_FORMS)).differences;

  return { importPlaces, move, settle, settled, countWithin, countsWithin, trusted, areasOf, differences };
}
