import type { Database } from '../../../platform/database/pools/database.js';
import type { Queryable } from '../../../platform/database/connection/queryable.js';
import { byColumn } from '../../../kernel/domain/searched-fields.js';
import type { Uuid } from '../../../kernel/domain/uuid.js';
import { Hierarchy } from '../../../auth/locations/hierarchy.js';
import { LOCK_PLACES } from '../../../auth/locations/import-locations.js';
import { readPlaces } from '../../../auth/locations/place-versions.js';
import { Sql, sql } from '../../../kernel/sql/sql.js';
import { LOCATION_COLUMNS, LOCATION_FIELDS, type LocationColumn } from '../location-columns.js';
import type { Term } from '../terms/term-kind.js';
import { writeVocabulary } from '../terms/write-vocabulary.js';
import { areasWithTerms, areaTerm } from './area-terms.js';

const COLUMNS = LOCATION_FIELDS.map(({ column }) => column);

/** A place whose terms disagree with the hierarchy. */
export interface ChangedPlace {
  readonly place: Uuid;
  /** Empty for a place that is gone. */
  readonly terms: Readonly<Record<LocationColumn, readonly Term[]>>;
  /** Terms lost or gained. */
  readonly moved: readonly bigint[];
}

export const syncAreaTerms = (database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.query(LOCK_PLACES);
    await writeAreaTerms(transaction);
  });

/**
 * By the hierarchy of this transaction, which holds `LOCK_PLACES`. Changed terms are in doubt until `settleAreaTerms`
 * is done.
 */
export async function writeAreaTerms(transaction: Queryable): Promise<void> {
  await writeTerms(transaction, await changedPlaces(transaction));
}

/** For one place added by this transaction. Resolves with the doubts raised: older records may name it. */
export async function writeTermsOfNewPlace(transaction: Queryable, place: Uuid): Promise<readonly Doubt[]> {
  const chain = await transaction.query<{ readonly id: Uuid; readonly partOf: Uuid | null }>(sql`
    with recursive chain as (
      select id, part_of from place where id = ${place}
      union all
      select p.id, p.part_of from place p join chain on p.id = chain.part_of
    ) cycle id set is_loop using path
    select id, part_of as "partOf" from chain`);
  const terms = termsOfPlace(new Hierarchy(chain), place);
  const moved = COLUMNS.flatMap((column) => terms[column].map(({ hash }) => hash));
  return writeTerms(transaction, [{ place, terms, moved }]);
}

/** A possibly wrong term, and the transaction that raised the doubt. */
export interface Doubt {
  readonly hash: string;
  readonly movedBy: string;
}

/** Resolves with the new doubts. */
async function writeTerms(transaction: Queryable, changed: readonly ChangedPlace[]): Promise<readonly Doubt[]> {
  if (changed.length === 0) return [];
  await transaction.query(sql`
    insert into area_term (place, ${columnNames})
    select place, ${Sql.join(
      COLUMNS.map((column) => sql`${LOCATION_COLUMNS[column]}::bigint[]`),
      ', ',
    )}
      from unnest(
        ${changed.map(({ place }) => place)}::uuid[],
        ${Sql.join(
          COLUMNS.map((column) => sql`${changed.map(({ terms }) => hashList(terms[column]))}::text[]`),
          ', ',
        )}) as new (place, ${columnNames})
        on conflict (place) do update set (${columnNames}) = (${excludedColumns})`);
  const doubts = await transaction.query<Doubt & { readonly isFresh: boolean }>(sql`
    insert into term_doubt (hash, moved_by)
    select distinct hash, pg_current_xact_id() from unnest(${changed.flatMap(({ moved }) => moved)}::bigint[]) as new (hash)
     order by hash
        on conflict (hash) do update set moved_by = excluded.moved_by where term_doubt.moved_by is not null
    returning hash, moved_by::text as "movedBy", xmax = 0 as "isFresh"`);
  const terms = changed.flatMap((place) => COLUMNS.flatMap((column) => place.terms[column]));
  await writeVocabulary(transaction, [{ seq: '0', isNew: false, vocabulary: { paths: [], terms } }]);
  return doubts.flatMap(({ hash, movedBy, isFresh }) => (isFresh ? [{ hash, movedBy }] : []));
}

export async function changedPlaces(reader: Queryable): Promise<readonly ChangedPlace[]> {
  const places = await readPlaces(reader);
  const hierarchy = new Hierarchy(places);
  const stored = await storedTerms(reader);
  const ids = new Set([...places.map(({ id }) => id), ...stored.keys()]);
  return [...ids].flatMap((place) => {
    const terms = termsOfPlace(hierarchy, place);
    const had = stored.get(place);
    const moved = COLUMNS.flatMap((column) =>
      difference(
        had?.[column] ?? [],
        terms[column].map(({ hash }) => hash),
      ),
    );
    return moved.length === 0 ? [] : [{ place, terms, moved }];
  });
}

/** Empty for an unknown place. */
function termsOfPlace(hierarchy: Hierarchy, place: Uuid): ChangedPlace['terms'] {
  const areas = hierarchy.below(place).length === 0 ? [] : areasWithTerms(hierarchy, place);
  return byColumn(LOCATION_FIELDS, ({ column }) => areas.map((area) => areaTerm(column, area)));
}

/** Hashes by place and column. */
export type StoredTerms = ReadonlyMap<Uuid, Readonly<Record<LocationColumn, readonly bigint[]>>>;

export async function storedTerms(reader: Queryable): Promise<StoredTerms> {
  const rows = await reader.query<{ readonly place: Uuid } & Readonly<Record<LocationColumn, readonly string[]>>>(
    sql`select place, ${columnNames} from area_term`,
  );
  return new Map(rows.map((row) => [row.place, byColumn(LOCATION_FIELDS, ({ column }) => row[column].map(BigInt))]));
}

/** The symmetric difference. */
const difference = (a: readonly bigint[], b: readonly bigint[]): readonly bigint[] => [
  ...a.filter((hash) => !b.includes(hash)),
  ...b.filter((hash) => !a.includes(hash)),
];

const hashList = (terms: readonly Term[]): string => `{${terms.map(({ hash }) => hash).join(',')}}`;

const columnNames = Sql.join(Object.values(LOCATION_COLUMNS), ', ');

const excludedColumns = Sql.join(
  Object.values(LOCATION_COLUMNS).map((column) => sql`excluded.${column}`),
  ', ',
);
