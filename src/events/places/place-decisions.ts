import { clashingExternalId } from '../../auth/locations/place-versions.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import {
  MOST_VERSIONS,
  type Place,
  type PlaceState,
  type PlaceVersion,
  type PlaceVersions,
  type VersionedPlace,
} from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';

type Kind = Place['kind'];

const NOUNS = { location: 'location', administrativeArea: 'administrative area' } as const satisfies Record<
  Kind,
  string
>;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const conflict = (message: string): ServiceError => new ServiceError('CONFLICT', message);

/** Refusals with upstream's statuses and, where known, texts (L-1). */
export const placeErrors = {
  notFound: (kind: Kind, id: string) =>
    new ServiceError('NOT_FOUND', `${capitalized(NOUNS[kind])} not found with ID: ${id}`),

  externalIdTaken: (kind: Kind, externalId: string) =>
    conflict(`An active ${NOUNS[kind]} with externalId ${externalId} already exists`),

  versionIdTaken: (versionId: Uuid) => conflict(`The versionId ${versionId} is already used`),
};

export interface NewPlace {
  readonly kind: Place['kind'];
  /** Undefined: chosen by the service. */
  readonly id: Uuid | undefined;
  readonly partOf: Uuid | null;
  readonly locationType: string | null;
  /** `versionId` undefined: chosen by the service. */
  readonly version: Omit<PlaceVersion, 'versionId'> & { readonly versionId: Uuid | undefined };
}

export interface CreationSetting {
  readonly sameId: VersionedPlace | undefined;
  readonly sameVersionId: VersionedPlace | undefined;
  readonly parent: Pick<Place, 'kind'> | undefined;
  readonly sameExternalId: readonly VersionedPlace[];
}

/** `place` is to be written, or was written by an equal request. */
export type Creation = { readonly isNew: boolean; readonly place: VersionedPlace };

export const PARENT_KEYS = {
  location: 'administrativeAreaId',
  administrativeArea: 'parentId',
} as const satisfies Record<Place['kind'], string>;

/**
 * Never changes a place (L-1); `newId` generates omitted ids. Throws 400 for a parent that is no area, 409 for an id,
 * `versionId` or `externalId` in use.
 */
export function decideCreation(wanted: NewPlace, setting: CreationSetting, newId: () => Uuid): Creation {
  const { kind, partOf, locationType, version } = wanted;
  if (partOf !== null && setting.parent?.kind !== 'administrativeArea') throw unknownParent(kind, partOf);
  const existing = setting.sameId ?? (wanted.id === undefined ? setting.sameVersionId : undefined);
  if (existing !== undefined) {
    const different = differencesOf(wanted, existing);
    if (different.length === 0) return { isNew: false, place: existing };
    if (setting.sameId === undefined && version.versionId !== undefined) {
      throw placeErrors.versionIdTaken(version.versionId);
    }
    const article = kind === 'location' ? 'A' : 'An';
    const named = different.join(', ');
    throw conflict(`${article} ${NOUNS[kind]} with id ${existing.id} already exists with different ${named}`);
  }
  if (setting.sameVersionId !== undefined && version.versionId !== undefined) {
    throw placeErrors.versionIdTaken(version.versionId);
  }
  const place: VersionedPlace = {
    id: wanted.id ?? newId(),
    kind,
    partOf,
    locationType,
    versions: [{ ...version, versionId: version.versionId ?? newId() }],
  };
  const clash = clashingExternalId(place, place.versions, setting.sameExternalId, version.effectiveFrom);
  if (clash !== undefined) throw placeErrors.externalIdTaken(kind, clash);
  return { isNew: true, place };
}

/** Later versions do not count. */
function differencesOf({ kind, partOf, locationType, version }: NewPlace, existing: VersionedPlace): string[] {
  if (existing.kind !== kind) return ['kind'];
  const [first] = existing.versions;
  const same: Readonly<Record<string, boolean>> = {
    [PARENT_KEYS[kind]]: existing.partOf === partOf,
    locationType: existing.locationType === locationType,
    versionId: version.versionId === undefined || version.versionId === first.versionId,
    effectiveFrom: version.effectiveFrom === first.effectiveFrom,
    name: version.name === first.name,
    externalId: version.externalId === first.externalId,
    status: version.status === first.status,
  };
  return Object.keys(same).filter((key) => same[key] === false);
}

const unknownParent = (kind: Place['kind'], parent: Uuid): ServiceError =>
  invalidInput(`${PARENT_KEYS[kind]}: no administrative area has the id ${parent}`);

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
  if (last !== versions.length - 1) {
    throw conflict(`The version ${snapshot.lastVersionId} is not the newest of this ${NOUNS[kind]}: refresh and retry`);
  }
  if (versions.some((version) => version.effectiveFrom === effectiveFrom)) {
    throw conflict(`A version with effectiveFrom ${effectiveFrom} already exists`);
  }
  if (effectiveFrom < newest.effectiveFrom) {
    const message = `effectiveFrom ${effectiveFrom} is earlier than that of the newest version, ${newest.effectiveFrom}`;
    throw new ServiceError('UNPROCESSABLE_CONTENT', message);
  }
  if (versions.length >= MOST_VERSIONS) {
    throw conflict(`This ${NOUNS[kind]} has ${MOST_VERSIONS} versions: no more can be added`);
  }

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
