import { Injectable } from '@nestjs/common';
import { IsUuid } from '../../platform/dto/validators.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { AuditPageDto, CreateIntegrationDto, ListIntegrationsDto } from '../../auth/clients/integration.dto.js';
import { IntegrationAnswers } from '../../auth/clients/integrations.js';
import { IntegrationsController } from '../../auth/clients/integrations.controller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { Procedures } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

class IdDto {
  @IsUuid()
  id: Uuid;
}

class AuditDto extends AuditPageDto {
  @IsUuid()
  id: Uuid;
}

const idIn = async (input: unknown): Promise<Uuid> => (await readDto(IdDto, input)).id;

/** `integrations.*` (I-4), as the routes under `/integrations`. */
@Injectable()
export class IntegrationProcedures {
  constructor(private readonly answers: IntegrationAnswers) {}

  procedures(): Procedures {
    const { answers } = this;
    const rules = (handler: keyof IntegrationsController): ReturnType<typeof rulesOfRoute> =>
      rulesOfRoute(IntegrationsController, handler);
    return {
      'integrations.create': {
        kind: 'mutation',
        ...rules('create'),
        run: async (input, { caller }) => answers.create(await readDto(CreateIntegrationDto, input), caller),
      },
      'integrations.list': {
        kind: 'query',
        ...rules('list'),
        run: async (input) => answers.listAll(await readDto(ListIntegrationsDto, input ?? {})),
      },
      'integrations.get': {
        kind: 'query',
        ...rules('get'),
        run: async (input, { caller }) => answers.get(await idIn(input), caller),
      },
      'integrations.activate': {
        kind: 'mutation',
        ...rules('activate'),
        run: async (input, { caller }) => answers.setStatus(await idIn(input), 'active', caller),
      },
      'integrations.deactivate': {
        kind: 'mutation',
        ...rules('deactivate'),
        run: async (input, { caller }) => answers.setStatus(await idIn(input), 'deactivated', caller),
      },
      'integrations.refreshSecret': {
        kind: 'mutation',
        ...rules('refreshSecret'),
        run: async (input, { caller }) => answers.refreshSecret(await idIn(input), caller),
      },
      'integrations.delete': {
        kind: 'mutation',
        ...rules('remove'),
        run: async (input, { caller }) => answers.remove(await idIn(input), caller),
      },
      'integrations.audit': {
        kind: 'query',
        ...rules('audit'),
        run: async (input) => {
          const { id, ...query } = await readDto(AuditDto, input);
          return answers.audit(id, query);
        },
      },
    };
  }
}
