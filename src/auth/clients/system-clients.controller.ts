import { Checked, Member, OptionalMember, PassedOn } from '../../platform/dto/members.js';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiPropertyOptional, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { hasKeptItsName } from '../../kernel/domain/scopes/earlier-scopes.js';
import { scopeNow } from '../../kernel/domain/scopes/decode-scope.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { IsUuid } from '../../platform/dto/validators.js';
import { closedObject, uuid } from '../../platform/dto/schemas.js';
import { Allow, CurrentCaller, InTurn } from '../access/decorators.js';
import { type Registration, REGISTRATION_SCOPES } from '../access/scope-permissions.js';
import { JWK_SET_SCHEMA, readKeys } from './client-keys.js';
import { checkName } from './sound-registration.js';
import { type ClientView, SystemClients } from './system-clients.js';

class ClientIdDto {
  @Member(uuid, IsUuid())
  client_id: Uuid;
}

const CREDENTIALS_SCHEMA = closedObject(
  {
    client_id: uuid,
    client_secret: uuid,
    sha_secret: { ...uuid, description: 'Signs the webhooks of the client' },
    scope: {
      type: 'array',
      items: { type: 'string' },
      description: 'What a scope of an earlier release has become; absent for a kind of client',
    },
    jwks: { ...JWK_SET_SCHEMA, description: 'Its keys, if any were given' },
  },
  { required: ['client_id', 'client_secret', 'sha_secret'] },
);

const SHA_SECRET_SCHEMA = closedObject({ sha_secret: uuid });

const LONGEST = 2_000;
const REGISTRATIONS = Object.keys(REGISTRATION_SCOPES);

/** Also accepts scope names of earlier releases. */
const IsKindOrEarlierScope = (): PropertyDecorator =>
  Checked(
    'isKindOrEarlierScope',
    (value) => isRegistration(value) || (typeof value === 'string' && isOfEarlierRelease(value)),
    `must be one of the following values: ${REGISTRATIONS.join(', ')}`,
  );

const isOfEarlierRelease = (scope: string): boolean =>
  hasKeptItsName(scope) || (scope.length <= LONGEST && scopeNow(scope) !== scope);

const isRegistration = (value: unknown): value is Registration => REGISTRATIONS.some((kind) => kind === value);

class RegisterSystemClientDto {
  @Member(
    { minLength: 1, description: `${REGISTRATIONS.join(', ')}, or a scope of an earlier release` },
    IsKindOrEarlierScope(),
  )
  scope: string;

  @OptionalMember(
    { minLength: 1, maxLength: 200, description: 'Shown in lists; absent: the scope' },
    PassedOn(checkName),
  )
  name?: string;

  @ApiPropertyOptional({ allOf: [JWK_SET_SCHEMA] })
  @PassedOn(readKeys)
  jwks?: unknown;
}

/** Administration of system clients, on the internal port. */
@ApiTags('System clients')
@Controller()
@InTurn('administration')
export class SystemClientsController {
  constructor(private readonly clients: SystemClients) {}

  @Post('registerSystemClient')
  @HttpCode(201)
  @Allow('natlsysadmin')
  @ApiOperation({
    operationId: 'systemClient-register',
    summary: 'Register a system client',
    description:
      'Yields the credentials of a new client. The secret is shown this once. A scope of an earlier release is shown as what it has become.',
  })
  @ApiResponse({ status: 201, description: 'The credentials, shown this once', schema: CREDENTIALS_SCHEMA })
  async register(
    @Body() { scope, name, jwks }: RegisterSystemClientDto,
    @CurrentCaller() caller: Caller,
  ): Promise<object> {
    const what = isRegistration(scope) ? { registeredAs: scope } : { scopes: [scope] };
    const { clientId, clientSecret, shaSecret, scopes, keys } = await this.clients.register({
      ...what,
      name,
      jwks,
      by: actorOf(caller),
    });
    return {
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      sha_secret: shaSecret.reveal(),
      ...('scopes' in what && { scope: scopes }),
      ...(keys.length > 0 && { jwks: { keys } }),
    };
  }

  @Post('deactivateSystemClient')
  @HttpCode(200)
  @Allow('sysadmin')
  @ApiOperation({
    operationId: 'systemClient-deactivate',
    summary: 'Deactivate a system client, and its tokens',
    description:
      'From then on the client gets no token, tokens that it has are refused, and its deliveries wait. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'Deactivated' })
  deactivate(@Body() body: ClientIdDto, @CurrentCaller() caller: Caller): Promise<void> {
    return this.setStatus(body, 'deactivated', caller);
  }

  @Post('reactivateSystemClient')
  @HttpCode(200)
  @Allow('sysadmin')
  @ApiOperation({
    operationId: 'systemClient-reactivate',
    summary: 'Reactivate a system client',
    description:
      'The client gets tokens again, and what has waited for it is delivered. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'Active again' })
  reactivate(@Body() body: ClientIdDto, @CurrentCaller() caller: Caller): Promise<void> {
    return this.setStatus(body, 'active', caller);
  }

  @Post('rotateShaSecret')
  @HttpCode(200)
  @Allow('natlsysadmin')
  @ApiOperation({
    operationId: 'systemClient-rotateShaSecret',
    summary: 'Replace the secret that signs a client’s webhooks',
    description:
      'Until `SHA_SECRET_OVERLAP_SECONDS` have passed, `webhook-signature` has a signature with each of both; `hmac` and `X-Hub-Signature` are made with the one under which the subscription was last made or renewed. What is published after that is signed with the new one.',
  })
  @ApiResponse({ status: 200, description: 'The new secret, shown this once', schema: SHA_SECRET_SCHEMA })
  async rotateShaSecret(
    @Body() { client_id: clientId }: ClientIdDto,
    @CurrentCaller() caller: Caller,
  ): Promise<object> {
    const secret = await this.clients.rotateShaSecret(clientId, actorOf(caller));
    if (secret === undefined) throw noSuchClient(clientId);
    return { sha_secret: secret.reveal() };
  }

  private async setStatus(
    { client_id: clientId }: ClientIdDto,
    status: ClientView['status'],
    caller: Caller,
  ): Promise<void> {
    if (!(await this.clients.setStatus(clientId, status, actorOf(caller)))) throw noSuchClient(clientId);
  }
}

const noSuchClient = (clientId: Uuid): ServiceError =>
  new ServiceError('NOT_FOUND', `System client not found with client_id: ${clientId}`);
