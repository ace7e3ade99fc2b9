import { Inject, Injectable } from '@nestjs/common';
import type { Asker } from '../../auth/access/decorators.js';
import {
  clashingExternalId,
  readVersionedPlaces,
  stateOn,
  writeVersions,
} from '../../auth/locations/place-versions.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { LOCK_PLACES } from '../../auth/locations/import-locations.js';
import { type CalendarDate, dayIn } from '../../kernel/domain/calendar.js';
import type { Place, PlaceVersion, PlaceVersions, VersionedPlace } from '../../kernel/domain/location.js';
import { newUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { type Sql, sql } from '../../kernel/sql/sql.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import { Database } from '../../platform/database/pools/database.js';
import {
  changesOf,
  decideCreation,
  decideUpdate,
  type NewPlace,
  PARENT_KEYS,
  placeErrors,
  type Snapshot,
  type UpdateSetting,
} from './place-decisions.js';
import { COLLECTIONS } from './place-lists.js';

/**
 * L-1. Throws 404 for an unknown version; 409 for the only one, one in effect, or if the previous would regain an
 * external id in use.
 */
export function decideWithdrawal(
  versionId: Uuid,
  { place, sameExternalId, today }: Omit<UpdateSetting, 'isVersionIdUsed'>,
): { readonly withdrawn: PlaceVersion; readonly versions: PlaceVersions } {
  const withdrawn = place.versions.find((version) => version.versionId === versionId);
  if (withdrawn === undefined) throw new ServiceError('NOT_FOUND', `Version not found with ID: ${versionId}`);
  const [first, ...others] = place.versions.filter((version) => version !== withdrawn);
  if (first === undefined) throw new ServiceError('CONFLICT', 'The only version cannot be withdrawn');
  if (withdrawn.effectiveFrom <= today) {
    throw new ServiceError('CONFLICT', `The version ${versionId} is already in effect`);
  }
  const versions: PlaceVersions = [first, ...others];
  const clash = clashingExternalId(place, versions, sameExternalId, withdrawn.effectiveFrom);
  if (clash !== undefined) throw placeErrors.externalIdTaken(place.kind, clash);
  return { withdrawn, versions };
}

/** For a change in another process, or an import. */
const LOCK_WAIT = sql`set local lock_timeout = '5s'`;

/**
 * Changes places one at a time across processes, each in one transaction with its audit row (L-1, L-3). Afterwards,
 * reads see it; a repetition changes nothing. Throws as the decisions, and 503 SERVICE_UNAVAILABLE for a timeout.
 */
@Injectable()
export class PlaceWriter {
  constructor(
    private readonly database: Database,
    private readonly hierarchy: HierarchyCache,
    private readonly audit: AuditLog,
    private readonly capacities: Capacities,
    @Inject(CONFIG) private readonly config: Pick<Config, 'TIMEZONE'>,
  ) {}

  create(wanted: NewPlace, by: Asker): Promise<VersionedPlace> {
    const { version } = wanted;
    return this.change(by, async (transaction) => {
      const around = await readVersionedPlaces(
        transaction,
        sql`p.id in (select unnest(${[wanted.id, wanted.partOf].filter((id) => id !== undefined && id !== null)}::uuid[])
              union ${owners(version.versionId ?? null, [version.externalId])})`,
      );
      const setting = {
        sameId: around.find(({ id }) => id === wanted.id),
        sameVersionId: around.find(({ versions }) => versions.some(({ versionId }) => versionId === version.versionId)),
        parent: around.find(({ id }) => id === wanted.partOf),
        sameExternalId: around,
      };
      const creation = decideCreation(wanted, setting, newUuid);
      if (!creation.isNew) return creation.place;
      await this.writeNew(transaction, creation.place, by);
      await transaction.query(sql`select pg_notify('places_changed', '')`);
      return creation.place;
    });
  }

  update(kind: Place['kind'], id: Uuid, snapshot: Snapshot, by: Asker): Promise<VersionedPlace> {
    return this.change(by, async (transaction, today) => {
      const place = await this.known(transaction, kind, id);
      const around = await readVersionedPlaces(
        transaction,
        sql`p.id in (${owners(snapshot.versionId ?? null, [snapshot.externalId])})`,
      );
      const isVersionIdUsed = around.some(({ versions }) =>
        versions.some(({ versionId }) => versionId === snapshot.versionId),
      );
      const { appended, versions } = decideUpdate(
        snapshot,
        { place, isVersionIdUsed, sameExternalId: around, today },
        newUuid,
      );
      if (appended === undefined) return place;
      const { versionId, effectiveFrom, name, externalId, status } = appended;
      const previous = versions.at(-2) ?? versions[0];
      await writeVersions(transaction, [{ ...appended, place: id }]);
      await this.changed(transaction, { ...place, versions }, today);
      await this.audit.record(transaction, {
        ...actorOf(by.caller),
        operation: `${COLLECTIONS[kind]}.update`,
        requestData: { id, versionId, effectiveFrom, name, externalId, status },
        responseSummary: { changed: changesOf(previous, appended), previousVersionId: previous.versionId },
      });
      return { ...place, versions };
    });
  }

  withdrawVersion(kind: Place['kind'], id: Uuid, versionId: Uuid, by: Asker): Promise<VersionedPlace> {
    return this.change(by, async (transaction, today) => {
      const place = await this.known(transaction, kind, id);
      const sameExternalId = await readVersionedPlaces(
        transaction,
        sql`p.id in (${owners(
          null,
          place.versions.map(({ externalId }) => externalId),
        )})`,
      );
      const { withdrawn, versions } = decideWithdrawal(versionId, { place, sameExternalId, today });
      await transaction.query(sql`delete from place_version where version_id = ${versionId}`);
      await this.changed(transaction, { ...place, versions }, today);
      await this.audit.record(transaction, {
        ...actorOf(by.caller),
        operation: `${COLLECTIONS[kind]}.withdrawVersion`,
        requestData: { id, versionId },
        responseSummary: { withdrawn },
      });
      return { ...place, versions };
    });
  }

  /** Resolves when the cache includes the change. */
  private change<T>(
    { caller, hungUp }: Asker,
    work: (transaction: Queryable, today: CalendarDate) => Promise<T>,
  ): Promise<T> {
    return this.capacities.run('place-changes', { client: caller.subject, hungUp }, async () => {
      const result = await this.database.transaction(async (transaction) => {
        await transaction.query(LOCK_WAIT);
        await transaction.query(LOCK_PLACES);
        return work(transaction, dayIn(this.config.TIMEZONE, new Date()));
      });
      await this.hierarchy.refresh();
      return result;
    });
  }

  private async known(transaction: Queryable, kind: Place['kind'], id: Uuid): Promise<VersionedPlace> {
    const [place] = await readVersionedPlaces(transaction, sql`p.id = ${id}`);
    if (place?.kind !== kind) throw placeErrors.notFound(kind, id);
    return place;
  }

  private async writeNew(transaction: Queryable, place: VersionedPlace, { caller }: Asker): Promise<void> {
    const { id, kind, partOf, locationType, versions } = place;
    const [{ versionId, effectiveFrom, name, externalId, status }] = versions;
    await transaction.query(sql`
      insert into place (id, kind, name, part_of, location_type)
      values (${id}, ${kind}, ${name}, ${partOf}, ${locationType})`);
    await writeVersions(transaction, [{ ...versions[0], place: id }]);
    await this.audit.record(transaction, {
      ...actorOf(caller),
      operation: `${COLLECTIONS[kind]}.create`,
      requestData: {
        name,
        externalId,
        [PARENT_KEYS[kind]]: partOf,
        ...(kind === 'location' && { locationType }),
        effectiveFrom,
        status,
      },
      responseSummary: { id, versionId },
    });
  }

  /** Notifies of new versions; the update increments the place's revision. */
  private async changed(
    transaction: Queryable,
    { id, versions }: { readonly id: Uuid; readonly versions: PlaceVersions },
    today: CalendarDate,
  ): Promise<void> {
    await transaction.query(sql`update place set name = ${stateOn(versions, today).name} where id = ${id}`);
    await transaction.query(sql`select pg_notify('place_versions_changed', '')`);
  }
}

const owners = (versionId: Uuid | null, externalIds: readonly (string | null)[]): Sql => sql`
  select v.place from place_version v where v.version_id = ${versionId}::uuid
  union select v.place from place_version v where v.external_id = any (${externalIds.filter((id) => id !== null)}::text[])`;
