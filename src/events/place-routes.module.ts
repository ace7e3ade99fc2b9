import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { LocationsModule } from '../auth/locations.module.js';
import { AdministrativeAreasController } from './places/administrative-areas.controller.js';
import { FhirLocationsController } from './places/fhir-locations.controller.js';
import { LocationsController } from './places/locations.controller.js';
import { PlaceWriter } from './places/place-writer.js';
import { PlacesByType } from './places/places-by-type.js';
import { PlacesModule } from './places.module.js';

/** The routes of places. */
@Module({
  imports: [AuditModule, LocationsModule, PlacesModule],
  providers: [PlaceWriter, PlacesByType],
  controllers: [LocationsController, AdministrativeAreasController, FhirLocationsController],
})
export class PlaceRoutesModule {}
