import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { AdministrativeAreasController } from './administrative-areas.controller.js';
import { FhirLocationsController } from './fhir-locations.controller.js';
import { LocationsController } from './locations.controller.js';
import { PlaceWriter } from './place-writer.js';
import { PlacesByType } from './places-by-type.js';
import { PlacesModule } from './places.module.js';

/** The routes of places. */
@Module({
  imports: [AuditModule, LocationsModule, PlacesModule],
  providers: [PlaceWriter, PlacesByType],
  controllers: [LocationsController, AdministrativeAreasController, FhirLocationsController],
})
export class PlaceRoutesModule {}
