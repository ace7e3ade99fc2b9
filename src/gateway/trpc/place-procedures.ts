import { Injectable } from '@nestjs/common';

import { IsUuid } from '../../platform/dto/validators.js';
import { readDto } from '../../platform/dto/read-dto.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { AdministrativeAreasController, LocationsController } from '../../events/places/places.controller.js';
import { PlaceAnswers } from '../../events/places/place-answers.js';
import { PlaceLists } from '../../events/places/place-lists.js';
import {
  AdministrativeAreasQueryDto,
  areaFilter,
  locationFilter,
  LocationsQueryDto,
} from '../../events/places/place.dto.js';
import { JsonText } from './json-text.js';
import type { Procedures } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

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
          const filter = locationFilter(await readDto(LocationsQueryDto, input ?? {}));
          return new JsonText(await answers.json('location', filter, caller, hungUp));
        },
      },
      'administrativeAreas.list': {
        kind: 'query',
        ...rulesOfRoute(AdministrativeAreasController, 'list'),
        run: async (input, { caller, hungUp }) => {
          const filter = areaFilter(await readDto(AdministrativeAreasQueryDto, input ?? {}));
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
