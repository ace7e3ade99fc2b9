import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { Place, PlaceVersion, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { stateOn } from '../../auth/locations/version-in-effect.js';

/** What areas and locations have in common, as answers show it: the flat members are those of the version in effect. */
interface PlaceView {
  readonly id: Uuid;
  readonly name: string;
  readonly externalId: string | null;
  readonly status: PlaceVersion['status'];
  readonly versions: readonly PlaceVersion[];
}

/** A location as the interface has it (L-1). */
export interface LocationView extends PlaceView {
  readonly administrativeAreaId: Uuid | null;
  readonly locationType: string | null;
}

/** An administrative area as the interface has it (L-1). */
export interface AdministrativeAreaView extends PlaceView {
  readonly parentId: Uuid | null;
}

/** The view of each kind of place. */
export interface PlaceViews {
  readonly location: LocationView;
  readonly administrativeArea: AdministrativeAreaView;
}

const VIEWS: { readonly [K in Place['kind']]: (place: VersionedPlace, today: CalendarDate) => PlaceViews[K] } = {
  location: ({ id, partOf, locationType, versions }, today) => {
    const { name, externalId, status } = stateOn(versions, today);
    return {
      id,
      name,
      externalId,
      administrativeAreaId: partOf,
      locationType,
      status,
      versions: versions.map(versionView),
    };
  },
  administrativeArea: ({ id, partOf, versions }, today) => {
    const { name, externalId, status } = stateOn(versions, today);
    return { id, name, externalId, parentId: partOf, status, versions: versions.map(versionView) };
  },
};

/** A place of this kind as it is on a day. */
export const viewAs = <K extends Place['kind']>(kind: K, place: VersionedPlace, today: CalendarDate): PlaceViews[K] =>
  VIEWS[kind](place, today);

const versionView = ({ versionId, effectiveFrom, name, externalId, status }: PlaceVersion): PlaceVersion => ({
  versionId,
  effectiveFrom,
  name,
  externalId,
  status,
});

/** How the audit log and the addresses call each kind. */
export const COLLECTIONS = {
  location: 'locations',
  administrativeArea: 'administrativeAreas',
} as const satisfies Record<Place['kind'], string>;
