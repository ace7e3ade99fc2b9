import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDefined,
  IsIn,
  IsUUID,
  Length,
  MaxLength,
  MinLength,
} from 'class-validator';

import { IsOffsetDateTime } from '../../access/dto/is-offset-date-time.js';
import { IsText } from '../../access/dto/is-text.js';
import { IsWholeNumber } from '../../access/dto/is-whole-number.js';
import { MayBeAbsent, Nested, PassedOn } from '../../access/dto/members.js';
import type { Instant } from '../../domain/calendar.js';
import { JWK_SET_SCHEMA } from '../assertions/client-keys.schema.js';

const NAME_REQUIRED = 'Integration name is required';
const SCOPE_REQUIRED = 'At least one scope is required';

/** The most integrations of one page, and those of a page without `limit`. */
const MOST = 1_000;

/** Credentials that are made elsewhere: both or neither (B.5). */
export class CredentialsDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID('all')
  clientId: string;

  @ApiProperty({ minLength: 16, maxLength: 256 })
  @IsText()
  @Length(16, 256)
  clientSecret: string;
}

/** Body of `POST /integrations` (I-1). */
export class CreateIntegrationDto {
  @ApiProperty({ minLength: 1, maxLength: 200 })
  @MaxLength(200)
  @MinLength(1, { message: NAME_REQUIRED })
  name: string;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: 100,
    description: 'Any spelling of a scope: `type=record.search&event=birth`, `record.search`',
  })
  @MaxLength(2_000, { each: true })
  @ArrayMaxSize(100)
  @ArrayMinSize(1, { message: SCOPE_REQUIRED })
  @IsArray()
  scopes: string[];

  @ApiPropertyOptional({ type: CredentialsDto, description: 'Absent: they are made' })
  @MayBeAbsent()
  @Nested(CredentialsDto)
  credentials?: CredentialsDto;

  @ApiPropertyOptional(JWK_SET_SCHEMA)
  @PassedOn()
  jwks?: unknown;
}

/** Body of `PUT /integrations/{id}/jwks`: a JWK Set, whose keys `soundKeys` reads. */
export class JwkSetDto {
  @ApiProperty(JWK_SET_SCHEMA.properties.keys)
  @IsDefined({ message: 'must be a list of public keys' })
  @PassedOn()
  keys: unknown;
}

/** Query string of `GET /integrations`. */
export class ListIntegrationsDto {
  @MayBeAbsent()
  @IsIn(['active', 'disabled'])
  status?: 'active' | 'disabled';

  @MayBeAbsent()
  @IsWholeNumber(1, MOST)
  limit = MOST;

  @MayBeAbsent()
  @IsText()
  cursor?: string;
}

/** Query string of `GET /integrations/{id}/audit`. */
export class AuditPageDto {
  @MayBeAbsent()
  @IsWholeNumber(0, Number.MAX_SAFE_INTEGER)
  skip = 0;

  @MayBeAbsent()
  @IsWholeNumber(1, 100)
  count = 10;

  @MayBeAbsent()
  @IsOffsetDateTime()
  timeStart?: Instant;

  @MayBeAbsent()
  @IsOffsetDateTime()
  timeEnd?: Instant;
}
