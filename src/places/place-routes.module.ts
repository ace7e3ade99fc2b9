import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { AdministrativeAreasController } from './administrative-areas.controller.js';
import { FhirLocationsController } from './fhir-locations.controller.js';
import { LocationsController } from './locations.controller.js';
import { PlaceAnswers } from './place-answers.js';
import { PlaceTurns } from './place-turns.js';
import { PlaceWriter } from './place-writer.js';
import { PlacesModule } from './places.module.js';

/** The routes of places. Needs a global provider of `Refusals` in addition to what `PlacesModule` needs. */
@Module({
  imports: [AuditModule, LocationsModule, PlacesModule],
  providers: [PlaceAnswers, PlaceTurns, PlaceWriter],
  controllers: [LocationsController, AdministrativeAreasController, FhirLocationsController],
})
export class PlaceRoutesModule {}
