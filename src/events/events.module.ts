import { type DynamicModule, Global, Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { previousSecretsKeyOf, secretsKeyOf } from '../auth/secrets/secrets-box.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { createFileStore } from './files/create-file-store.js';
import { FileStore } from './files/file-store.js';
import { Attachments, UploadRemoval } from './files/attachments.service.js';
import { Uploads } from './files/uploads.js';
import { DocumentFrequencies } from './index/statistics/document-frequencies.js';
import { KnownTerms } from './index/terms/terms.js';
import { PlaceAnswers } from './places/place-answers.js';
import { PlaceImport } from './places/place-import.js';
import { PlaceLists } from './places/place-lists.js';
import { WholeEvents } from './records/stored-events.js';
import { AnswersInFlight } from './search/answers-in-flight.js';
import { SearchAdmission } from './search/search-admission.js';
import { SearchCounts } from './search/search-counts.js';
import { DuplicateSearch, KnownRecords } from './search/duplicate-search.js';
import { SearchExplanation } from './search/search-explanation.js';
import { RecordAccess, StoredAccess } from './search/stored-access.js';
import { Cursors } from './search/request/cursors.js';
import { SearchPlanner } from './search/search-planner.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { EventWriter } from './write/event-writer.js';
import { RegistrationNumbers } from './write/registration-numbers.js';
import { ConfirmationsController } from './confirmation/confirmations.controller.js';
import { AcceptancesController, RejectionsController } from './confirmation/incoming-confirmations.controller.js';
import { IncomingConfirmations } from './confirmation/incoming-confirmations.js';
import { AttachmentsController } from './files/attachments.controller.js';
import { FileAddresses, SignedAddress } from './files/file-addresses.js';
import { FilesController } from './files/files.controller.js';
import { ServedFiles } from './files/served-files.js';
import { BulkImportController } from './import/bulk-import.controller.js';
import { BitmapKeeper } from './index/statistics/bitmap-keeper.js';
import { ACTION_CONTROLLERS } from './operations/actions.controller.js';
import { DuplicateReview } from './operations/duplicate-review.js';
import { EventOperations } from './operations/event-operations.js';
import { EventsController } from './operations/events.controller.js';
import { OperationPlaces } from './operations/operation-places.js';
import { TriggerController } from './operations/trigger.controller.js';
import { TriggerService } from './operations/trigger.service.js';
import { ViewsWithoutHidden } from './operations/views-without-hidden.js';
import { AdministrativeAreasController, LocationsController } from './places/places.controller.js';
import { FhirLocationsController } from './places/fhir-locations.controller.js';
import { PlaceWriter } from './places/place-writer.js';
import { EventTypesController } from './records/event-types.controller.js';
import { ReindexProcess } from './reindex/reindex-process.js';
import { ReindexRuns } from './reindex/reindex-runs.js';
import { ReindexController } from './reindex/reindex.controller.js';
import { CountsController } from './search/counts.controller.js';
import { ExplainController } from './search/explain.controller.js';
import { SearchController } from './search/search.controller.js';
import { ConfirmationClaims, ConfirmationNotes, ConfirmationOutbox } from './confirmation/confirmation-outbox.js';
import { Confirmations, PostedEvents } from './confirmation/confirmations.js';
import { CountryConfiguration } from '../auth/tokens/country-configuration.js';
import { AwaitedConfirmation } from './operations/operation-key.js';
import { Outgoing } from './write/acceptance.js';
import { ConfirmationWaits } from './confirmation/confirmation-waits.js';
import { ConfirmationLog } from './confirmation/confirmation-log.js';

/** For routes and commands. */
const SHARED = [
  ConfirmationLog,
  ConfirmationOutbox,
  ConfirmationWaits,
  AnswersInFlight,
  DocumentFrequencies,
  DuplicateSearch,
  EventWriter,
  KnownRecords,
  KnownTerms,
  PlaceAnswers,
  PlaceImport,
  PlaceLists,
  RecordAccess,
  SearchCounts,
  SearchExplanation,
  SearchPlanner,
  SearchService,
  StoredAccess,
  UploadRemoval,
  Uploads,
  WholeEvents,
];

/** Has requested actions confirmed by the country configuration, if there is one. */
export const CONFIRMATIONS = [CountryConfiguration, ConfirmationClaims, PostedEvents, ConfirmationNotes, Confirmations];

/** Starts to follow what searches read from memory, and logs an unusable file store. */
@Injectable()
class SearchUpkeep implements OnApplicationBootstrap {
  constructor(
    private readonly frequencies: DocumentFrequencies,
    private readonly store: FileStore,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.store.check().catch((error: unknown) => {
      new Logger('FileStore').warn(
        'the file store cannot be used: attachments are refused with 503 until it can',
        error,
      );
    });
    await this.frequencies.start();
  }
}

/**
 * Records, their search, the writer, files and places. Needs `PlatformModule` and `AuthModule`. The writer publishes if
 * there is a global `EventPublisher`.
 */
@Global()
@Module({
  providers: [
    {
      provide: Cursors,
      useFactory: (config: Config) => new Cursors(secretsKeyOf(config), previousSecretsKeyOf(config)),
      inject: [CONFIG],
    },
    { provide: FileStore, useFactory: (config: Config) => createFileStore(config), inject: [CONFIG] },
    RegistrationNumbers,
    SearchAdmission,
    SearchRepository,
    ...SHARED,
    { provide: Outgoing, useExisting: ConfirmationOutbox },
    { provide: AwaitedConfirmation, useExisting: ConfirmationWaits },
  ],
  exports: [AwaitedConfirmation, FileStore, Outgoing, ...SHARED],
})
export class EventsModule {
  /** With routes, confirmations, and what keeps searches up to date; commands take the class itself. */
  static forService(): DynamicModule {
    return {
      module: EventsModule,
      controllers: [
        ...ACTION_CONTROLLERS.values(),
        AcceptancesController,
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
        LocationsController,
        ReindexController,
        RejectionsController,
        SearchController,
        TriggerController,
      ],
      providers: [
        Attachments,
        BitmapKeeper,
        DuplicateReview,
        EventOperations,
        FileAddresses,
        IncomingConfirmations,
        OperationPlaces,
        PlaceWriter,
        ReindexProcess,
        ReindexRuns,
        SearchUpkeep,
        ServedFiles,
        SignedAddress,
        TriggerService,
        ViewsWithoutHidden,
        ...CONFIRMATIONS,
      ],
      exports: [
        Confirmations,
        EventOperations,
        FileAddresses,
        IncomingConfirmations,
        OperationPlaces,
        TriggerService,
        ViewsWithoutHidden,
      ],
    };
  }
}
