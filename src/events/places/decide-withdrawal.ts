import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { PlaceVersion, PlaceVersions, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { clashingExternalId } from '../../auth/locations/external-ids.js';
import { placeErrors } from './place-errors.js';

export interface WithdrawalSetting {
  readonly place: VersionedPlace;
  readonly sameExternalId: readonly VersionedPlace[];
  readonly today: CalendarDate;
}

export interface Withdrawal {
  readonly withdrawn: PlaceVersion;
  readonly versions: PlaceVersions;
}

/**
 * L-1. Throws 404 for an unknown version; 409 for the only one, one in effect, or if the previous would regain an
 * external id in use.
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
