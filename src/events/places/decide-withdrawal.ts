import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { PlaceVersion, PlaceVersions, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { clashingExternalId } from '../../auth/locations/external-ids.js';
import { placeErrors } from './place-errors.js';

/** What is there, as far as a withdrawal depends on it. */
export interface WithdrawalSetting {
  readonly place: VersionedPlace;
  /** Places with a version that has an external id of the place. */
  readonly sameExternalId: readonly VersionedPlace[];
  readonly today: CalendarDate;
}

/** The version that goes, and those that stay. */
export interface Withdrawal {
  readonly withdrawn: PlaceVersion;
  readonly versions: PlaceVersions;
}

/**
 * Decides about the withdrawal of a version that is not in effect yet (L-1). Throws 404 for an unknown version, and 409
 * for the only one, for one in effect, and where the version before would keep an external id that was handed on.
 */
export function decideWithdrawal(versionId: Uuid, { place, sameExternalId, today }: WithdrawalSetting): Withdrawal {
  const withdrawn = place.versions.find((version) => version.versionId === versionId);
  if (withdrawn === undefined) throw placeErrors.versionNotFound(versionId);
  const [first, ...others] = place.versions.filter((version) => version !== withdrawn);
  if (first === undefined) throw placeErrors.onlyVersion();
  if (withdrawn.effectiveFrom <= today) throw placeErrors.inEffect(versionId);
  const versions: PlaceVersions = [first, ...others];
  const clash = clashingExternalId(place, versions, sameExternalId, withdrawn.effectiveFrom);
  if (clash !== undefined) throw placeErrors.externalIdTaken(place.kind, clash);
  return { withdrawn, versions };
}
