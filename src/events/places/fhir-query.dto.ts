import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { IsName } from '../../platform/dto/is-name.js';
import { IsText } from '../../platform/dto/is-text.js';
import { IsWholeNumber } from '../../platform/dto/is-whole-number.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { PLACE_STATUSES, type PlaceStatus } from '../../kernel/domain/location.js';

const MOST = 1_000_000;

export class FhirQueryDto {
  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 256,
    description: '`ADMIN_STRUCTURE`, `CRVS_OFFICE`, `HEALTH_FACILITY`, …',
  })
  @MayBeAbsent()
  @IsName()
  type?: string;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 256,
    description: 'What the name begins with, in any letter case',
  })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({
    type: String,
    minLength: 1,
    maxLength: 512,
    description: '`<type>_<externalId>`, such as `CRVS_OFFICE_B12`, or with a system before it and `|`',
  })
  @MayBeAbsent()
  @IsText()
  @Length(1, 512)
  identifier?: string;

  @ApiPropertyOptional({ enum: PLACE_STATUSES })
  @MayBeAbsent()
  @IsIn(PLACE_STATUSES)
  status?: PlaceStatus;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MOST, description: 'At most so many; 0 or absent: all' })
  @MayBeAbsent()
  @IsWholeNumber(0, MOST)
  _count?: number;
}
