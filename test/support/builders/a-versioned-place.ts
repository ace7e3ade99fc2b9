import type { CalendarDate } from '../../../src/kernel/domain/calendar.js';
import { ALWAYS, type PlaceVersion, type VersionedPlace } from '../../../src/kernel/domain/location.js';
import { aUuid } from './a-uuid.js';

/** A version that is active under the name `Office` always, with `over` on top of that. */
export const aVersion = (
  over: Partial<Omit<PlaceVersion, 'effectiveFrom'>> & { readonly effectiveFrom?: string } = {},
): PlaceVersion => ({
  versionId: aUuid(0xf0),
  name: 'Office',
  externalId: null,
  status: 'active',
  ...over,
  effectiveFrom: (over.effectiveFrom ?? ALWAYS) as CalendarDate,
});

/** A registration office without a parent, with `over` on top of that. */
export const aVersionedPlace = (over: Partial<VersionedPlace> = {}): VersionedPlace => ({
  id: aUuid(1),
  kind: 'location',
  partOf: null,
  locationType: 'CRVS_OFFICE',
  versions: [aVersion()],
  ...over,
});
