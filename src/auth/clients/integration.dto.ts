import { Member, OptionalMember, IsThere, MayBeAbsent, Nested, PassedOn } from '../../platform/dto/members.js';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, Length } from 'class-validator';
import type { Instant } from '../../kernel/domain/calendar.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { CountedQuery, CREATION, PagedQuery } from '../../platform/dto/page.js';
import { IsNotBefore, IsOffsetDateTime, IsText, IsUuid } from '../../platform/dto/validators.js';
import { closedObject, dateTime, text, uuid } from '../../platform/dto/schemas.js';
import { JWK_SET_SCHEMA, readKeyList, readKeys } from './client-keys.js';
import { checkName, checkScopes } from './sound-registration.js';

const scopes = { type: 'array', items: text } as const;
const status = { type: 'string', enum: ['active', 'disabled'] };

const LISTED = {
  id: uuid,
  name: text,
  scopes,
  status,
  createdAt: dateTime,
  createdBy: { ...text, description: 'Who created it: the id of a client, or the name of an administrator' },
};

export const CREATED_SCHEMA = closedObject(
  {
    clientId: uuid,
    shaSecret: uuid,
    clientSecret: text,
    scopes: { ...scopes, description: 'What they have become, when one was a name of an earlier release' },
    jwks: JWK_SET_SCHEMA,
  },
  { required: ['clientId', 'shaSecret', 'clientSecret'] },
);
export const LIST_SCHEMA = { type: 'array', items: closedObject(LISTED) };
export const INTEGRATION_SCHEMA = closedObject(
  {
    ...LISTED,
    shaSecret: { type: ['string', 'null'], description: 'null for a caller who does not hold its scopes' },
    jwks: { ...JWK_SET_SCHEMA, description: 'Absent for one without keys' },
  },
  { required: [...Object.keys(LISTED), 'shaSecret'] },
);
export const KEYS_SCHEMA = closedObject({ id: uuid, jwks: JWK_SET_SCHEMA });
export const CHANGED_SCHEMA = closedObject({ id: uuid, name: text, status });
/** Shown once. */
export const REFRESHED_SCHEMA = closedObject({ clientId: uuid, clientSecret: uuid });
export const DELETED_SCHEMA = closedObject({ id: uuid, name: text });

const ENTRY = {
  id: uuid,
  clientId: uuid,
  clientType: { type: 'string', enum: ['system', 'user'] },
  operation: { ...text, description: '`event.search`, `auth.token`, …' },
  requestData: { description: 'The request; of more than 8,192 bytes `{cut, bytes, sha256}` of its JSON text' },
  responseSummary: { type: ['object', 'null'], description: 'What came of it' },
  createdAt: dateTime,
};
export const AUDIT_SCHEMA = closedObject({
  results: { type: 'array', items: closedObject(ENTRY), description: 'The newest first' },
  total: { type: 'integer' },
});

/** Largest and default page. */
export const MOST_INTEGRATIONS = 1_000;

/** Credentials made elsewhere: both or neither (B.5). */
export class CredentialsDto {
  @Member(uuid, IsUuid())
  clientId: Uuid;

  @Member({ minLength: 16, maxLength: 256 }, IsText(), Length(16, 256))
  clientSecret: string;
}

export class CreateIntegrationDto {
  @Member({ minLength: 1, maxLength: 200 }, IsThere(), PassedOn(checkName))
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

  @OptionalMember({ type: CredentialsDto, description: 'Absent: they are made' }, Nested(CredentialsDto))
  credentials?: CredentialsDto;

  @ApiPropertyOptional({ allOf: [JWK_SET_SCHEMA] })
  @PassedOn(readKeys)
  jwks?: unknown;
}

/** `soundKeys` validates it. */
export class JwkSetDto {
  @Member(JWK_SET_SCHEMA.properties.keys, IsThere(), PassedOn(readKeyList))
  keys: unknown;
}

export class ListIntegrationsDto extends PagedQuery(MOST_INTEGRATIONS, undefined, CREATION, 'From the `Link` header') {
  @OptionalMember({ enum: ['active', 'disabled'] }, IsIn(['active', 'disabled']))
  status?: 'active' | 'disabled';
}

export class AuditPageDto extends CountedQuery(100, 10) {
  @OptionalMember({ ...dateTime, description: 'The first time, with an offset' }, IsOffsetDateTime())
  timeStart?: Instant;

  @ApiPropertyOptional({ ...dateTime, description: 'The last time, with an offset; not before `timeStart`' })
  @MayBeAbsent()
  @IsNotBefore('timeStart')
  @IsOffsetDateTime()
  timeEnd?: Instant;
}
