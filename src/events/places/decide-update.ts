import type { CalendarDate } from '../../kernel/domain/calendar.js';
import {
  MOST_VERSIONS,
  type PlaceState,
  type PlaceVersion,
  type PlaceVersions,
  type VersionedPlace,
} from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { clashingExternalId } from '../../auth/locations/external-ids.js';
import { placeErrors } from './place-errors.js';

/** A full snapshot of a place's state from a day on. */
export interface Snapshot extends PlaceState {
  /** Undefined: today. */
  readonly effectiveFrom: CalendarDate | undefined;
  /** Undefined: the service chooses it. */
  readonly versionId: Uuid | undefined;
  /** The newest version that the caller knows. */
  readonly lastVersionId: Uuid;
}

/** What is there, as far as an update depends on it. */
export interface UpdateSetting {
  readonly place: VersionedPlace;
  /** Whether some place has a version with the `versionId` of the snapshot. */
  readonly isVersionIdUsed: boolean;
  /** Places with a version that has the external id of the snapshot. */
  readonly sameExternalId: readonly VersionedPlace[];
  readonly today: CalendarDate;
}

/** The version to be appended, with those before it; undefined if an equal request has appended it before. */
export interface Update {
  readonly appended: PlaceVersion | undefined;
  readonly versions: PlaceVersions;
}

/**
 * Decides about an update (L-1); `newId` draws a `versionId`. Throws 409 for a caller who does not know the newest
 * version, for a day, a `versionId` or an `externalId` that is taken, past `MOST_VERSIONS`, and 422 for a day before the
 * newest version.
 */
export function decideUpdate(snapshot: Snapshot, setting: UpdateSetting, newId: () => Uuid): Update {
  const { place, today } = setting;
  const { versions, kind } = place;
  const effectiveFrom = snapshot.effectiveFrom ?? today;
  const last = versions.findIndex(({ versionId }) => versionId === snapshot.lastVersionId);
  const next = last < 0 ? undefined : versions[last + 1];
  if (next !== undefined && isWhatWasAsked(next, snapshot, effectiveFrom)) return { appended: undefined, versions };

  const newest = versions[versions.length - 1] ?? versions[0];
  if (last === versions.length - 1 && isWhatWasAsked(newest, snapshot, effectiveFrom)) {
    return { appended: undefined, versions };
  }
  if (setting.isVersionIdUsed && snapshot.versionId !== undefined) {
    throw placeErrors.versionIdTaken(snapshot.versionId);
  }
  if (last !== versions.length - 1) throw placeErrors.notNewest(kind, snapshot.lastVersionId);
  if (versions.some((version) => version.effectiveFrom === effectiveFrom)) throw placeErrors.dayTaken(effectiveFrom);
  if (effectiveFrom < newest.effectiveFrom) throw placeErrors.beforeNewest(effectiveFrom, newest.effectiveFrom);
  if (versions.length >= MOST_VERSIONS) throw placeErrors.tooManyVersions(kind);

  const { name, externalId, status } = snapshot;
  const appended = { versionId: snapshot.versionId ?? newId(), effectiveFrom, name, externalId, status };
  const after: PlaceVersions = [...versions, appended];
  const clash = clashingExternalId(place, after, setting.sameExternalId, effectiveFrom);
  if (clash !== undefined) throw placeErrors.externalIdTaken(kind, clash);
  return { appended, versions: after };
}

/**
 * Whether the version is what the snapshot would make. A retry that names its `versionId` and no day is recognized on
 * any later day.
 */
function isWhatWasAsked(version: PlaceVersion, snapshot: Snapshot, effectiveFrom: CalendarDate): boolean {
  const isNamed = snapshot.versionId === version.versionId;
  return (
    (isNamed || snapshot.versionId === undefined) &&
    (version.effectiveFrom === effectiveFrom || (isNamed && snapshot.effectiveFrom === undefined)) &&
    version.name === snapshot.name &&
    version.externalId === snapshot.externalId &&
    version.status === snapshot.status
  );
}

/** By key, what a version changes of the one before it: the audit row of an update tells it. */
export function changesOf(before: PlaceState, after: PlaceState): Readonly<Record<string, object>> {
  const keys = ['name', 'externalId', 'status'] as const;
  return Object.fromEntries(
    keys.filter((key) => before[key] !== after[key]).map((key) => [key, { from: before[key], to: after[key] }]),
  );
}
