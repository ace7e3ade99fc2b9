import { Member, OptionalMember } from '../../platform/dto/members.js';
import type { PlaceFilter } from './place-lists.js';
import { IsIn } from 'class-validator';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { ALWAYS, type Place, PLACE_STATUSES, type PlaceStatus } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { IsCalendarDate, IsFlag, IsName, IsUuid, IsUuidList, IsWholeNumber } from '../../platform/dto/validators.js';
import { uuid } from '../../platform/dto/schemas.js';
import { type NewPlace, PARENT_KEYS, type Snapshot } from './place-decisions.js';

const MOST = 10_000;
const TEXT_NAME = { type: String, minLength: 1, maxLength: 256 } as const;
const IDS = { ...uuid, isArray: true, description: 'Repeated, or with commas between them' } as const;

class PlacesQueryDto {
  @OptionalMember(
    { type: Boolean, description: 'Only those that are active today, or only those that are not' },
    IsFlag(),
  )
  isActive?: boolean;

  @OptionalMember({ ...TEXT_NAME, description: 'Only those that have it today' }, IsName())
  externalId?: string;

  @OptionalMember(
    { type: 'integer', minimum: 1, maximum: MOST, description: 'Absent: the whole list' },
    IsWholeNumber(1, MOST),
  )
  limit?: number;

  @OptionalMember({ ...uuid, description: 'Of the `Link` header of the page before' }, IsUuid())
  cursor?: Uuid;
}

export class LocationsQueryDto extends PlacesQueryDto {
  @OptionalMember(IDS, IsUuidList())
  locationIds?: Uuid[];

  @OptionalMember({ ...TEXT_NAME, example: 'CRVS_OFFICE' }, IsName())
  locationType?: string;
}

export class AdministrativeAreasQueryDto extends PlacesQueryDto {
  @OptionalMember(IDS, IsUuidList())
  administrativeAreaIds?: Uuid[];
}

const NAME = { minLength: 1, maxLength: 256 };
const CHOSEN_ID = { ...uuid, description: 'Absent: the service chooses it' };
const PARENT_ID = { ...uuid, nullable: true, description: 'null: under the country itself' };
const DAY = { format: 'date', example: '2026-09-01' };

class CreatePlaceDto {
  @OptionalMember(CHOSEN_ID, IsUuid())
  id?: Uuid;

  @OptionalMember(CHOSEN_ID, IsUuid())
  versionId?: Uuid;

  @Member(NAME, IsName())
  name: string;

  @OptionalMember(
    { ...NAME, type: String, nullable: true, description: 'Its id in another system' },
    IsName({ orNull: true }),
  )
  externalId?: string | null;

  @OptionalMember({ ...DAY, type: String, description: 'Absent: always, `0001-01-01`' }, IsCalendarDate())
  effectiveFrom?: CalendarDate;

  @OptionalMember({ enum: PLACE_STATUSES, default: 'active' }, IsIn(PLACE_STATUSES))
  status?: PlaceStatus;
}

export class CreateLocationDto extends CreatePlaceDto {
  @Member(PARENT_ID, IsUuid({ orNull: true }))
  administrativeAreaId: Uuid | null;

  @Member({ ...NAME, type: String, nullable: true, example: 'CRVS_OFFICE' }, IsName({ orNull: true }))
  locationType: string | null;
}

export class CreateAdministrativeAreaDto extends CreatePlaceDto {
  @Member(PARENT_ID, IsUuid({ orNull: true }))
  parentId: Uuid | null;
}

/** A full snapshot (L-1). */
export class UpdatePlaceDto {
  @Member(NAME, IsName())
  name: string;

  @OptionalMember({ ...NAME, type: String, nullable: true, description: 'Absent: none' }, IsName({ orNull: true }))
  externalId?: string | null;

  @Member({ enum: PLACE_STATUSES }, IsIn(PLACE_STATUSES))
  status: PlaceStatus;

  @OptionalMember({ ...DAY, type: String, description: 'Absent: today' }, IsCalendarDate())
  effectiveFrom?: CalendarDate;

  @OptionalMember(CHOSEN_ID, IsUuid())
  versionId?: Uuid;

  @Member({ ...uuid, description: 'The newest version that the caller knows' }, IsUuid())
  lastVersionId: Uuid;
}

export class UpdatePlaceByIdDto extends UpdatePlaceDto {
  @Member(uuid, IsUuid())
  id: Uuid;
}

/** The body of a creation, of either kind. */
export type Creation = CreatePlaceDto & Partial<CreateLocationDto & CreateAdministrativeAreaDto>;

export const newPlace = (kind: Place['kind'], body: Creation): NewPlace => ({
  kind,
  id: body.id,
  partOf: body[PARENT_KEYS[kind]] ?? null,
  locationType: body.locationType ?? null,
  version: {
    versionId: body.versionId,
    effectiveFrom: body.effectiveFrom ?? ALWAYS,
    name: body.name,
    externalId: body.externalId ?? null,
    status: body.status ?? 'active',
  },
});

/** The query of either list. */
export type PlacesQuery = Partial<LocationsQueryDto & AdministrativeAreasQueryDto>;

export const filterOf = ({
  locationIds,
  administrativeAreaIds,
  cursor: after,
  ...filter
}: PlacesQuery): PlaceFilter => ({
  ...filter,
  ids: locationIds ?? administrativeAreaIds,
  after,
});

export const snapshotOf = (body: UpdatePlaceDto): Snapshot => ({
  name: body.name,
  externalId: body.externalId ?? null,
  status: body.status,
  effectiveFrom: body.effectiveFrom,
  versionId: body.versionId,
  lastVersionId: body.lastVersionId,
});
