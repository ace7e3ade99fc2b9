import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsCalendarDate, IsName, IsUuid } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { uuid } from '../../platform/openapi/schemas.js';
import type { CalendarDate } from '../../kernel/domain/calendar.js';
import { ALWAYS, PLACE_STATUSES, type PlaceStatus } from '../../kernel/domain/location.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { NewPlace } from './decide-creation.js';
import type { Snapshot } from './decide-update.js';

const NAME = { minLength: 1, maxLength: 256 };
const CHOSEN_ID = { ...uuid, description: 'Absent: the service chooses it' };
const PARENT_ID = { ...uuid, nullable: true, description: 'null: under the country itself' };
const DAY = { format: 'date', example: '2026-09-01' };

class CreatePlaceDto {
  @ApiPropertyOptional(CHOSEN_ID)
  @MayBeAbsent()
  @IsUuid()
  id?: Uuid;

  @ApiPropertyOptional(CHOSEN_ID)
  @MayBeAbsent()
  @IsUuid()
  versionId?: Uuid;

  @ApiProperty(NAME)
  @IsName()
  name: string;

  @ApiPropertyOptional({ ...NAME, type: String, nullable: true, description: 'Its id in another system' })
  @MayBeAbsent()
  @IsName({ orNull: true })
  externalId?: string | null;

  @ApiPropertyOptional({ ...DAY, type: String, description: 'Absent: always, `0001-01-01`' })
  @MayBeAbsent()
  @IsCalendarDate()
  effectiveFrom?: CalendarDate;

  @ApiPropertyOptional({ enum: PLACE_STATUSES, default: 'active' })
  @MayBeAbsent()
  @IsIn(PLACE_STATUSES)
  status?: PlaceStatus;
}

export class CreateLocationDto extends CreatePlaceDto {
  @ApiProperty(PARENT_ID)
  @IsUuid({ orNull: true })
  administrativeAreaId: Uuid | null;

  @ApiProperty({ ...NAME, type: String, nullable: true, example: 'CRVS_OFFICE' })
  @IsName({ orNull: true })
  locationType: string | null;
}

export class CreateAdministrativeAreaDto extends CreatePlaceDto {
  @ApiProperty(PARENT_ID)
  @IsUuid({ orNull: true })
  parentId: Uuid | null;
}

/** A full snapshot (L-1). */
export class UpdatePlaceDto {
  @ApiProperty(NAME)
  @IsName()
  name: string;

  @ApiPropertyOptional({ ...NAME, type: String, nullable: true, description: 'Absent: none' })
  @MayBeAbsent()
  @IsName({ orNull: true })
  externalId?: string | null;

  @ApiProperty({ enum: PLACE_STATUSES })
  @IsIn(PLACE_STATUSES)
  status: PlaceStatus;

  @ApiPropertyOptional({ ...DAY, type: String, description: 'Absent: today' })
  @MayBeAbsent()
  @IsCalendarDate()
  effectiveFrom?: CalendarDate;

  @ApiPropertyOptional(CHOSEN_ID)
  @MayBeAbsent()
  @IsUuid()
  versionId?: Uuid;

  @ApiProperty({ ...uuid, description: 'The newest version that the caller knows' })
  @IsUuid()
  lastVersionId: Uuid;
}

export class UpdatePlaceByIdDto extends UpdatePlaceDto {
  @ApiProperty(uuid)
  @IsUuid()
  id: Uuid;
}

export const newLocation = (body: CreateLocationDto): NewPlace => ({
  ...newPlace(body),
  kind: 'location',
  partOf: body.administrativeAreaId,
  locationType: body.locationType,
});

export const newArea = (body: CreateAdministrativeAreaDto): NewPlace => ({
  ...newPlace(body),
  kind: 'administrativeArea',
  partOf: body.parentId,
  locationType: null,
});

const newPlace = (body: CreatePlaceDto): Pick<NewPlace, 'id' | 'version'> => ({
  id: body.id,
  version: {
    versionId: body.versionId,
    effectiveFrom: body.effectiveFrom ?? ALWAYS,
    name: body.name,
    externalId: body.externalId ?? null,
    status: body.status ?? 'active',
  },
});

export const snapshotOf = (body: UpdatePlaceDto): Snapshot => ({
  name: body.name,
  externalId: body.externalId ?? null,
  status: body.status,
  effectiveFrom: body.effectiveFrom,
  versionId: body.versionId,
  lastVersionId: body.lastVersionId,
});
