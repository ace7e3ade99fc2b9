import { Injectable } from '@nestjs/common';
import { IsUUID } from 'class-validator';

import { readDto } from '../access/dto/read-dto.js';
import { AuditPageDto, CreateIntegrationDto, ListIntegrationsDto } from '../auth/integrations/integration.dto.js';
import { IntegrationAnswers } from '../auth/integrations/integration-answers.js';
import { IntegrationAudit } from '../auth/integrations/integration-audit.js';
import { IntegrationAuditController } from '../auth/integrations/integration-audit.controller.js';
import { IntegrationsController } from '../auth/integrations/integrations.controller.js';
import type { Uuid } from '../domain/uuid.js';
import { requireUuid } from '../input/require-uuid.js';
import { accessRuleOf, onlyUserTypeOf } from './access-rule-of.js';
import type { Procedures } from './procedure.js';

class IdDto {
  @IsUUID('all')
  id: string;
}

class AuditDto extends AuditPageDto {
  @IsUUID('all')
  id: string;
}

const idIn = async (input: unknown): Promise<Uuid> => requireUuid((await readDto(IdDto, input)).id, 'id');

/** `integrations.*` (I-4): what the routes under `/integrations` do. */
@Injectable()
export class IntegrationProcedures {
  constructor(
    private readonly answers: IntegrationAnswers,
    private readonly audit: IntegrationAudit,
  ) {}

  procedures(): Procedures {
    const { answers, audit } = this;
    const access = (handler: keyof IntegrationsController): ReturnType<typeof accessRuleOf> =>
      accessRuleOf(IntegrationsController, handler);
    return {
      'integrations.create': {
        kind: 'mutation',
        access: access('create'),
        run: async (input, { caller }) => answers.create(await readDto(CreateIntegrationDto, input), caller),
      },
      'integrations.list': {
        kind: 'query',
        access: access('list'),
        run: async (input) => (await answers.list(await readDto(ListIntegrationsDto, input ?? {}))).integrations,
      },
      'integrations.get': {
        kind: 'query',
        access: access('get'),
        run: async (input, { caller }) => answers.get(await idIn(input), caller),
      },
      'integrations.activate': {
        kind: 'mutation',
        access: access('activate'),
        run: async (input, { caller }) => answers.setStatus(await idIn(input), 'active', caller),
      },
      'integrations.deactivate': {
        kind: 'mutation',
        access: access('deactivate'),
        run: async (input, { caller }) => answers.setStatus(await idIn(input), 'deactivated', caller),
      },
      'integrations.refreshSecret': {
        kind: 'mutation',
        access: access('refreshSecret'),
        run: async (input, { caller }) => answers.refreshSecret(await idIn(input), caller),
      },
      'integrations.delete': {
        kind: 'mutation',
        access: access('remove'),
        run: async (input, { caller }) => answers.remove(await idIn(input), caller),
      },
      'integrations.audit': {
        kind: 'query',
        access: accessRuleOf(IntegrationAuditController, 'read'),
        only: onlyUserTypeOf(IntegrationAuditController, 'read'),
        run: async (input) => {
          const { id, skip, count, timeStart, timeEnd } = await readDto(AuditDto, input);
          return audit.read({ clientId: requireUuid(id, 'id'), skip, count, timeStart, timeEnd });
        },
      },
    };
  }
}
