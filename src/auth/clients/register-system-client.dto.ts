import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy } from 'class-validator';
import { MayBeAbsent, PassedOn } from '../../platform/dto/members.js';
import { type Registration, REGISTRATION_SCOPES } from '../access/scope-permissions.js';
import { hasKeptItsName } from '../../kernel/domain/scopes/earlier-scopes.js';
import { scopeNow } from '../../kernel/domain/scopes/encode-scope.js';
import { readKeys } from './client-keys.js';
import { JWK_SET_SCHEMA } from './client-keys.schema.js';
import { checkName } from './sound-registration.js';

const LONGEST = 2_000;
const REGISTRATIONS = Object.keys(REGISTRATION_SCOPES);

/** Also accepts scope names of earlier releases. */
const IsKindOrEarlierScope = (): PropertyDecorator =>
  ValidateBy({
    name: 'isKindOrEarlierScope',
    validator: {
      validate: (value: unknown) => isRegistration(value) || (typeof value === 'string' && isOfEarlierRelease(value)),
      defaultMessage: () => `must be one of the following values: ${REGISTRATIONS.join(', ')}`,
    },
  });

const isOfEarlierRelease = (scope: string): boolean =>
  hasKeptItsName(scope) || (scope.length <= LONGEST && scopeNow(scope) !== scope);

export const isRegistration = (value: unknown): value is Registration => REGISTRATIONS.some((kind) => kind === value);

export class RegisterSystemClientDto {
  @ApiProperty({ minLength: 1, description: `${REGISTRATIONS.join(', ')}, or a scope of an earlier release` })
  @IsKindOrEarlierScope()
  scope: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: 200, description: 'Shown in lists; absent: the scope' })
  @MayBeAbsent()
  @PassedOn(checkName)
  name?: string;

  @ApiPropertyOptional({ allOf: [JWK_SET_SCHEMA] })
  @PassedOn(readKeys)
  jwks?: unknown;
}
