import type { Place, PlaceVersion, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import type { ServiceError } from '../../kernel/errors/service-error.js';
import { clashingExternalId } from '../../auth/locations/external-ids.js';
import { placeErrors } from './place-errors.js';

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
    throw placeErrors.existsOtherwise(kind, existing.id, different);
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
