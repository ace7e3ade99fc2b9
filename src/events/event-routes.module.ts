import { type OnApplicationBootstrap, Injectable, Module } from '@nestjs/common';
import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConfirmationsController } from './confirmation/confirmations.controller.js';
import { IncomingConfirmationsController } from './confirmation/incoming-confirmations.controller.js';
import { IncomingConfirmations } from './confirmation/incoming-confirmations.js';
import { AttachmentsController } from './files/attachments.controller.js';
import { Attachments } from './files/attachments.service.js';
import { FileAddresses, SignedAddress } from './files/file-addresses.js';
import { FilesController } from './files/files.controller.js';
import { ServedFiles } from './files/served-files.js';
import { UploadUpkeep } from './files/upload-upkeep.js';
import { UploadsAtOnce } from './files/uploads-at-once.js';
import { BulkImportController } from './import/bulk-import.controller.js';
import { ImportAdmission } from './import/import-admission.js';
import { AreaTermsKeeper } from './index/areas/area-terms-keeper.js';
import { BitmapKeeper } from './index/bitmaps/bitmap-keeper.js';
import { BlockKeeper } from './index/near-words/block-keeper.js';
import { DictionaryFollower } from './index/near-words/dictionary-follower.js';
import { DocumentFrequencies } from './index/statistics/document-frequencies.js';
import { ActionsController } from './operations/actions.controller.js';
import { DuplicateReview } from './operations/duplicate-review.js';
import { EventOperations } from './operations/event-operations.js';
import { EventsController } from './operations/events.controller.js';
import { OperationPlaces } from './operations/operation-places.js';
import { TriggerController } from './operations/trigger.controller.js';
import { TriggerService } from './operations/trigger.service.js';
import { ViewsWithoutHidden } from './operations/views-without-hidden.js';
import { FhirLocationsController } from './places/fhir-locations.controller.js';
import { AdministrativeAreasController, LocationsController } from './places/places.controller.js';
import { PlaceWriter } from './places/place-writer.js';
import { PlacesByType } from './places/places-by-type.js';
import { EventTypesController } from './records/event-types.controller.js';
import { ReindexProcess } from './reindex/reindex-process.js';
import { ReindexRuns } from './reindex/reindex-runs.js';
import { ReindexController } from './reindex/reindex.controller.js';
import { CountsController } from './search/counts/counts.controller.js';
import { ExplainController } from './search/explain/explain.controller.js';
import { SearchController } from './search/search.controller.js';
import { ConfirmationLogModule } from './confirmation-log.module.js';
import { EventsModule } from './events.module.js';

/** Starts to follow what searches read from memory. */
@Injectable()
class SearchUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly dictionary: DictionaryFollower,
    private readonly frequencies: DocumentFrequencies,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.dictionary.start();
    await this.frequencies.start();
  }
}

/**
 * The routes of events, searches, places and files, and what keeps searches up to date: commands, which load neither,
 * take `EventsModule`.
 */
@Module({
  imports: [AuditModule, AuthModule, ConfirmationLogModule, EventsModule],
  controllers: [
    ActionsController,
    AdministrativeAreasController,
    AttachmentsController,
    BulkImportController,
    ConfirmationsController,
    CountsController,
    EventTypesController,
    EventsController,
    ExplainController,
    FhirLocationsController,
    FilesController,
    IncomingConfirmationsController,
    LocationsController,
    ReindexController,
    SearchController,
    TriggerController,
  ],
  providers: [
    AreaTermsKeeper,
    Attachments,
    BitmapKeeper,
    BlockKeeper,
    DuplicateReview,
    EventOperations,
    FileAddresses,
    ImportAdmission,
    IncomingConfirmations,
    OperationPlaces,
    PlaceWriter,
    PlacesByType,
    ReindexProcess,
    ReindexRuns,
    SearchUpkeep,
    ServedFiles,
    SignedAddress,
    TriggerService,
    UploadUpkeep,
    UploadsAtOnce,
    ViewsWithoutHidden,
  ],
  exports: [EventOperations, FileAddresses, IncomingConfirmations, OperationPlaces, TriggerService, ViewsWithoutHidden],
})
export class EventRoutesModule {}
