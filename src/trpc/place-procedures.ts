import { Injectable } from '@nestjs/common';

import { readDto } from '../access/dto/read-dto.js';
import { AdministrativeAreasController } from '../places/administrative-areas.controller.js';
import { LocationsController } from '../places/locations.controller.js';
import { PlaceAnswers } from '../places/place-answers.js';
import { AdministrativeAreasQueryDto, LocationsQueryDto } from '../places/places-query.dto.js';
import { JsonText } from './json-text.js';
import type { Procedures } from './procedure.js';
import { rulesOfRoute } from './rules-of-route.js';

/** `locations.list` and `administrativeAreas.list` (I-4): what the routes do. */
@Injectable()
export class PlaceProcedures {
  constructor(private readonly answers: PlaceAnswers) {}

  procedures(): Procedures {
    const { answers } = this;
    return {
      'locations.list': {
        kind: 'query',
        ...rulesOfRoute(LocationsController, 'list'),
        run: async (input, { caller, hungUp }) => {
          const { locationIds: ids, cursor: after, ...filter } = await readDto(LocationsQueryDto, input ?? {});
          return new JsonText(await answers.json('location', { ...filter, ids, after }, caller, hungUp));
        },
      },
      'administrativeAreas.list': {
        kind: 'query',
        ...rulesOfRoute(AdministrativeAreasController, 'list'),
        run: async (input, { caller, hungUp }) => {
          const {
            administrativeAreaIds: ids,
            cursor: after,
            ...filter
          } = await readDto(AdministrativeAreasQueryDto, input ?? {});
          return new JsonText(await answers.json('administrativeArea', { ...filter, ids, after }, caller, hungUp));
        },
      },
    };
  }
}
