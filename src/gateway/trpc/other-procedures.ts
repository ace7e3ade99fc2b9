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
import { JsonText, type Procedures, requireAccess, rulesOfRoute } from './procedure.js';

/** `event.search` (I-4): `POST /events/search` without a cursor. */
@Injectable()
export class SearchProcedures {
  constructor(private readonly searches: SearchService) {}

  procedures(): Procedures {
    return {
      'event.search': {
        kind: 'query',
        ...rulesOfRoute(SearchController, 'search'),
        run: async (input, { caller, hungUp }) =>
          new JsonText((await this.searches.search(input, { caller, now: new Date(), hungUp })).json),
      },
    };
  }
}

/** `user.get` (I-4), as the route; users may read themselves. */
@Injectable()
export class UserProcedures {
  constructor(private readonly administration: UserAdministration) {}

  procedures(): Procedures {
    const { access, ...rules } = rulesOfRoute(UsersController, 'get');
    return {
      'user.get': {
        kind: 'query',
        access: 'authenticated',
        ...rules,
        run: async (input, { caller }) => {
          if (input !== caller.subject) requireAccess(access, caller);
          return this.administration.find(requireUuid(input, 'input'), caller);
        },
      },
    };
  }
}

class LocationIdDto {
  @IsUuid()
  locationId: Uuid;
}

/** As the routes (I-4), and `locations.getLocationHierarchy`. */
@Injectable()
export class PlaceProcedures {
  constructor(
    private readonly answers: PlaceAnswers,
    private readonly lists: PlaceLists,
    private readonly hierarchy: HierarchyCache,
  ) {}

  procedures(): Procedures {
    const { answers } = this;
    return {
      'locations.list': {
        kind: 'query',
        ...rulesOfRoute(LocationsController, 'list'),
        run: async (input, { caller, hungUp }) => {
          const filter = filterOf(await readDto(LocationsQueryDto, input ?? {}));
          return new JsonText(await answers.json('location', filter, caller, hungUp));
        },
      },
      'administrativeAreas.list': {
        kind: 'query',
        ...rulesOfRoute(AdministrativeAreasController, 'list'),
        run: async (input, { caller, hungUp }) => {
          const filter = filterOf(await readDto(AdministrativeAreasQueryDto, input ?? {}));
          return new JsonText(await answers.json('administrativeArea', filter, caller, hungUp));
        },
      },
      'locations.getLocationHierarchy': {
        kind: 'query',
        ...rulesOfRoute(LocationsController, 'list'),
        // As upstream: top down, the place included.
        run: async (input) => {
          const { id } = await this.lists.placeOfAnyKind((await readDto(LocationIdDto, input)).locationId);
          return [...this.hierarchy.ancestors(id).toReversed(), id];
        },
      },
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
      'integrations.create': {
        kind: 'mutation',
        ...rules('create'),
        run: async (input, { caller }) => integrations.create(await readDto(CreateIntegrationDto, input), caller),
      },
      'integrations.list': {
        kind: 'query',
        ...rules('list'),
        run: async (input) => integrations.listAll(await readDto(ListIntegrationsDto, input ?? {})),
      },
      'integrations.get': {
        kind: 'query',
        ...rules('get'),
        run: async (input, { caller }) => integrations.get(await idIn(input), caller),
      },
      'integrations.activate': {
        kind: 'mutation',
        ...rules('activate'),
        run: async (input, { caller }) => integrations.setStatus(await idIn(input), 'active', caller),
      },
      'integrations.deactivate': {
        kind: 'mutation',
        ...rules('deactivate'),
        run: async (input, { caller }) => integrations.setStatus(await idIn(input), 'deactivated', caller),
      },
      'integrations.refreshSecret': {
        kind: 'mutation',
        ...rules('refreshSecret'),
        run: async (input, { caller }) => integrations.refreshSecret(await idIn(input), caller),
      },
      'integrations.delete': {
        kind: 'mutation',
        ...rules('remove'),
        run: async (input, { caller }) => integrations.remove(await idIn(input), caller),
      },
      'integrations.audit': {
        kind: 'query',
        ...rules('audit'),
        run: async (input) => {
          const { id, ...query } = await readDto(AuditDto, input);
          return integrations.audit(id, query);
        },
      },
    };
  }
}
