import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import { IsNotBefore, IsOffsetDateTime, IsText, IsUuid, IsWholeNumber } from '../../platform/dto/validators.js';
import { IsThere, MayBeAbsent, Nested, PassedOn } from '../../platform/dto/members.js';
import { uuid } from '../../platform/openapi/schemas.js';
import type { Instant } from '../../kernel/domain/calendar.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { readKeyList, readKeys } from './client-keys.js';
import { JWK_SET_SCHEMA } from './client-keys.schema.js';
import { checkName, checkScopes } from './sound-registration.js';

/** Largest and default page. */
export const MOST_INTEGRATIONS = 1_000;

/** Credentials made elsewhere: both or neither (B.5). */
export class CredentialsDto {
  @ApiProperty(uuid)
  @IsUuid()
  clientId: Uuid;

  @ApiProperty({ minLength: 16, maxLength: 256 })
  @IsText()
  @Length(16, 256)
  clientSecret: string;
}

export class CreateIntegrationDto {
  @ApiProperty({ minLength: 1, maxLength: 200 })
  @IsThere()
  @PassedOn(checkName)
  name: string;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: 100,
    description: 'Any spelling of a scope: `type=record.search&event=birth`, `record.search`',
  })
  @IsThere()
  @PassedOn(checkScopes)
  scopes: string[];

  @ApiPropertyOptional({ type: CredentialsDto, description: 'Absent: they are made' })
  @MayBeAbsent()
  @Nested(CredentialsDto)
  credentials?: CredentialsDto;

  @ApiPropertyOptional({ allOf: [JWK_SET_SCHEMA] })
  @PassedOn(readKeys)
  jwks?: unknown;
}

/** `soundKeys` validates it. */
export class JwkSetDto {
  @ApiProperty(JWK_SET_SCHEMA.properties.keys)
  @IsThere()
  @PassedOn(readKeyList)
  keys: unknown;
}

export class ListIntegrationsDto {
  @MayBeAbsent()
  @IsIn(['active', 'disabled'])
  status?: 'active' | 'disabled';

  @MayBeAbsent()
  @IsWholeNumber(1, MOST_INTEGRATIONS)
  limit?: number;

  @MayBeAbsent()
  @IsText()
  cursor?: string;
}

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
  @IsNotBefore('timeStart')
  @IsOffsetDateTime()
  timeEnd?: Instant;
}
