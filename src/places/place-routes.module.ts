import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { LocationsModule } from '../locations/locations.module.js';
import { AdministrativeAreasController } from './administrative-areas.controller.js';
import { FhirLocationsController } from './fhir-locations.controller.js';
import { LocationsController } from './locations.controller.js';
import { PlaceWriter } from './place-writer.js';
import { PlacesModule } from './places.module.js';

/** The routes of places. */
@Module({
  imports: [AuditModule, LocationsModule, PlacesModule],
  providers: [PlaceWriter],
  controllers: [LocationsController, AdministrativeAreasController, FhirLocationsController],
})
export class PlaceRoutesModule {}
