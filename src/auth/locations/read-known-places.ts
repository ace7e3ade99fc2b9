import { INCARNATION } from '../../platform/database/connection/incarnation.js';
import type { Connections } from '../../platform/database/pools/connections.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { VersionedPlace } from '../../kernel/domain/location.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { KnownPlaces } from './known-places.js';
import { readVersionedPlaces, type StoredPlace } from './version-in-effect.js';

/** Batch size that keeps the event loop responsive. */
const AT_A_TIME = 2_000;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Reads changes since `known`, or everything after deletions or a failover (Q-4). */
export async function readKnownPlaces(database: Connections, known: KnownPlaces): Promise<KnownPlaces> {
  // `known` changes only after the snapshot, so that a failed reading can be repeated.
  const later = await database.snapshot(async (snapshot): Promise<() => KnownPlaces> => {
    const now = await readState(snapshot);
    if (now.incarnation === known.state.incarnation) {
      const changed: VersionedPlace[] = [];
      await inParts(
        snapshot,
        known.state.revision,
        revisionOf,
        (last) => [sql`p.revision > ${last}::bigint`, sql`order by p.revision limit ${AT_A_TIME}`],
        (place) => changed.push(place),
      );
      const added = changed.filter(({ id }) => known.get(id) === undefined).length;
      if (known.size + added === now.count) return () => known.with(changed, now);
    }
    const all = new Map<string, VersionedPlace>();
    await inParts(
      snapshot,
      NO_ID,
      idOf,
      (last) => [sql`p.id ${last === NO_ID ? sql`>=` : sql`>`} ${last}::uuid`, sql`order by p.id limit ${AT_A_TIME}`],
      (place) => all.set(place.id, place),
    );
    return () => new KnownPlaces(all, now);
  });
  return later();
}

interface State {
  readonly incarnation: string;
  readonly revision: string;
  readonly count: number;
}

async function readState(reader: Queryable): Promise<State> {
  const [state] = await reader.query<State>(sql`
    select ${INCARNATION} as incarnation,
           coalesce(max(revision), 0) as revision, count(*)::int as count
      from place`);
  if (state === undefined) throw new Error('the server said nothing of its places');
  return state;
}

const revisionOf = ({ revision }: StoredPlace): string => revision;
const idOf = ({ id }: StoredPlace): string => id;

async function inParts(
  reader: Queryable,
  first: string,
  keyOf: (place: StoredPlace) => string,
  partAfter: (last: string) => readonly [condition: Sql, end: Sql],
  take: (place: VersionedPlace) => unknown,
): Promise<void> {
  for (let after = first; ;) {
    const part = await readVersionedPlaces(reader, ...partAfter(after));
    for (const { id, kind, partOf, locationType, versions } of part) {
      take({ id, kind, partOf, locationType, versions });
    }
    const last = part.at(-1);
    if (last === undefined || part.length < AT_A_TIME) return;
    after = keyOf(last);
  }
}
