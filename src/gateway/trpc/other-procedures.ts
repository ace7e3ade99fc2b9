import { Injectable } from '@nestjs/common';
import { AuditPageDto, CreateIntegrationDto, ListIntegrationsDto } from '../../auth/clients/integration.dto.js';
import { IntegrationsController } from '../../auth/clients/integrations.controller.js';
import { Integrations } from '../../auth/clients/integrations.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { UserAdministration } from '../../auth/user-administration/user-administration.js';
import { UsersController } from '../../auth/user-administration/users.controller.js';
import { PlaceAnswers } from '../../events/places/place-answers.js';
import { PlaceLists } from '../../events/places/place-lists.js';
import { AdministrativeAreasQueryDto, filterOf, LocationsQueryDto } from '../../events/places/place.dto.js';
import { AdministrativeAreasController, LocationsController } from '../../events/places/places.controller.js';
import { SearchController } from '../../events/search/search.controller.js';
import { SearchService } from '../../events/search/search.service.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { requireUuid } from '../../kernel/input/readers.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { IsUuid } from '../../platform/dto/validators.js';
import { JsonText, mutation, type Procedures, query, requireAccess, rulesOfRoute } from './procedure.js';

class LocationIdDto {
  @IsUuid()
  locationId: Uuid;
}

/** Searches, places and users (I-4), as their routes. */
@Injectable()
export class ReadProcedures {
  constructor(
    private readonly searches: SearchService,
    private readonly answers: PlaceAnswers,
    private readonly lists: PlaceLists,
    private readonly hierarchy: HierarchyCache,
    private readonly administration: UserAdministration,
  ) {}

  procedures(): Procedures {
    const { searches, answers, lists, hierarchy, administration } = this;
    const { access, ...rules } = rulesOfRoute(UsersController, 'get');
    return {
      // Without a cursor.
      'event.search': query(rulesOfRoute(SearchController, 'search'), async (input, { caller, hungUp }) => {
        return new JsonText((await searches.search(input, { caller, now: new Date(), hungUp })).json);
      }),
      'locations.list': query(rulesOfRoute(LocationsController, 'list'), async (input, { caller, hungUp }) => {
        const filter = filterOf(await readDto(LocationsQueryDto, input ?? {}));
        return new JsonText(await answers.json('location', filter, caller, hungUp));
      }),
      'administrativeAreas.list': query(
        rulesOfRoute(AdministrativeAreasController, 'list'),
        async (input, { caller, hungUp }) => {
          const filter = filterOf(await readDto(AdministrativeAreasQueryDto, input ?? {}));
          return new JsonText(await answers.json('administrativeArea', filter, caller, hungUp));
        },
      ),
      // As upstream: top down, the place included.
      'locations.getLocationHierarchy': query(rulesOfRoute(LocationsController, 'list'), async (input) => {
        const { id } = await lists.placeOfAnyKind((await readDto(LocationIdDto, input)).locationId);
        return [...hierarchy.ancestors(id).toReversed(), id];
      }),
      // Users may read themselves.
      'user.get': query({ ...rules, access: 'authenticated' }, async (input, { caller }) => {
        if (input !== caller.subject) requireAccess(access, caller);
        return administration.find(requireUuid(input, 'input'), caller);
      }),
    };
  }
}

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
  constructor(private readonly integrations: Integrations) {}

  procedures(): Procedures {
    const { integrations } = this;
    const rules = (handler: keyof IntegrationsController): ReturnType<typeof rulesOfRoute> =>
      rulesOfRoute(IntegrationsController, handler);
    return {
      'integrations.create': mutation(rules('create'), async (input, { caller }) =>
        integrations.create(await readDto(CreateIntegrationDto, input), caller),
      ),
      'integrations.list': query(rules('list'), async (input) =>
        integrations.listAll(await readDto(ListIntegrationsDto, input ?? {})),
      ),
      'integrations.get': query(rules('get'), async (input, { caller }) => integrations.get(await idIn(input), caller)),
      'integrations.activate': mutation(rules('activate'), async (input, { caller }) =>
        integrations.setStatus(await idIn(input), 'active', caller),
      ),
      'integrations.deactivate': mutation(rules('deactivate'), async (input, { caller }) =>
        integrations.setStatus(await idIn(input), 'deactivated', caller),
      ),
      'integrations.refreshSecret': mutation(rules('refreshSecret'), async (input, { caller }) =>
        integrations.refreshSecret(await idIn(input), caller),
      ),
      'integrations.delete': mutation(rules('remove'), async (input, { caller }) =>
        integrations.remove(await idIn(input), caller),
      ),
      'integrations.audit': query(rules('audit'), async (input) => {
        const { id, ...page } = await readDto(AuditDto, input);
        return integrations.audit(id, page);
      }),
    };
  }
}
