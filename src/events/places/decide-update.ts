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

export interface Snapshot extends PlaceState {
  /** Undefined: today. */
  readonly effectiveFrom: CalendarDate | undefined;
  /** Undefined: chosen by the service. */
  readonly versionId: Uuid | undefined;
  /** The newest version known to the caller. */
  readonly lastVersionId: Uuid;
}

export interface UpdateSetting {
  readonly place: VersionedPlace;
  readonly isVersionIdUsed: boolean;
  readonly sameExternalId: readonly VersionedPlace[];
  readonly today: CalendarDate;
}

/** Undefined if an equal request has appended it. */
export interface Update {
  readonly appended: PlaceVersion | undefined;
  readonly versions: PlaceVersions;
}

/**
 * L-1. Throws 409 for an outdated `lastVersionId`, a day, `versionId` or `externalId` in use, and beyond
 * `MOST_VERSIONS`; 422 for a day before the newest version.
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

/** Recognizes a retry; one with a `versionId` but no day, also on a later day. */
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

/** Changed members by key, for the audit row. */
export function changesOf(before: PlaceState, after: PlaceState): Readonly<Record<string, object>> {
  const keys = ['name', 'externalId', 'status'] as const;
  return Object.fromEntries(
    keys.filter((key) => before[key] !== after[key]).map((key) => [key, { from: before[key], to: after[key] }]),
  );
}
