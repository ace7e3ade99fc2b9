import type { CalendarDate } from '../../kernel/domain/calendar.js';
import type { Place, PlaceVersion, VersionedPlace } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { stateOn } from '../../auth/locations/version-in-effect.js';

/** Flat members are those of the version in effect. */
interface PlaceView {
  readonly id: Uuid;
  readonly name: string;
  readonly externalId: string | null;
  readonly status: PlaceVersion['status'];
  readonly versions: readonly PlaceVersion[];
}

/** L-1. */
export interface LocationView extends PlaceView {
  readonly administrativeAreaId: Uuid | null;
  readonly locationType: string | null;
}

/** L-1. */
export interface AdministrativeAreaView extends PlaceView {
  readonly parentId: Uuid | null;
}

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

export const viewAs = <K extends Place['kind']>(kind: K, place: VersionedPlace, today: CalendarDate): PlaceViews[K] =>
  VIEWS[kind](place, today);

const versionView = ({ versionId, effectiveFrom, name, externalId, status }: PlaceVersion): PlaceVersion => ({
  versionId,
  effectiveFrom,
  name,
  externalId,
  status,
});

/** Names in URLs and in the audit log. */
export const COLLECTIONS = {
  location: 'locations',
  administrativeArea: 'administrativeAreas',
} as const satisfies Record<Place['kind'], string>;
