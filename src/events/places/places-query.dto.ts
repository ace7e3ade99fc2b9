import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsFlag, IsName, IsUuid, IsUuidList, IsWholeNumber } from '../../platform/dto/validators.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { uuid } from '../../platform/openapi/schemas.js';
import type { Uuid } from '../../kernel/domain/uuid.js';

const MOST = 10_000;
const NAME = { type: String, minLength: 1, maxLength: 256 } as const;
const IDS = { ...uuid, isArray: true, description: 'Repeated, or with commas between them' } as const;

class PlacesQueryDto {
  @ApiPropertyOptional({ type: Boolean, description: 'Only those that are active today, or only those that are not' })
  @MayBeAbsent()
  @IsFlag()
  isActive?: boolean;

  @ApiPropertyOptional({ ...NAME, description: 'Only those that have it today' })
  @MayBeAbsent()
  @IsName()
  externalId?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST, description: 'Absent: the whole list' })
  @MayBeAbsent()
  @IsWholeNumber(1, MOST)
  limit?: number;

  @ApiPropertyOptional({ ...uuid, description: 'Of the `Link` header of the page before' })
  @MayBeAbsent()
  @IsUuid()
  cursor?: Uuid;
}

export class LocationsQueryDto extends PlacesQueryDto {
  @ApiPropertyOptional(IDS)
  @MayBeAbsent()
  @IsUuidList()
  locationIds?: Uuid[];

  @ApiPropertyOptional({ ...NAME, example: 'CRVS_OFFICE' })
  @MayBeAbsent()
  @IsName()
  locationType?: string;
}

export class AdministrativeAreasQueryDto extends PlacesQueryDto {
  @ApiPropertyOptional(IDS)
  @MayBeAbsent()
  @IsUuidList()
  administrativeAreaIds?: Uuid[];
}
