import { Module } from '@nestjs/common';

import { AuditModule } from '../platform/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { previousSecretsKeyOf, secretsKeyOf } from '../auth/secrets/secrets-box.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { createFileStore } from './files/store/create-file-store.js';
import { FileStore } from './files/store/file-store.js';
import { UploadRemoval } from './files/upload-removal.js';
import { Uploads } from './files/uploads.js';
import { KnownAreas } from './index/areas/known-areas.js';
import { PlaceImport } from './index/areas/place-import.js';
import { DictionaryFollower } from './index/near-words/dictionary-follower.js';
import { DocumentFrequencies } from './index/statistics/document-frequencies.js';
import { PlaceAnswers } from './places/place-answers.js';
import { PlaceLists } from './places/place-lists.js';
import { PlaceTurns } from './places/place-turns.js';
import { WholeEvents } from './records/whole-events.js';
import { AnswersInFlight } from './search/admission/answers-in-flight.js';
import { SearchAdmission } from './search/admission/search-admission.js';
import { SearchCounts } from './search/counts/search-counts.js';
import { DuplicateSearch } from './search/duplicates/duplicate-search.js';
import { KnownRecords } from './search/duplicates/known-records.js';
import { SearchExplanation } from './search/explain/search-explanation.js';
import { RecordAccess } from './search/record-access.js';
import { Cursors } from './search/request/cursors.js';
import { SearchContexts } from './search/search-contexts.js';
import { SearchPlanner } from './search/search-planner.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { StoredAccess } from './search/stored-access.js';
import { EventWriter } from './write/event-writer.js';
import { RegistrationNumbers } from './write/registration-numbers.js';
import { WriterMetrics } from './write/writer-metrics.js';

/** For routes and commands. */
const SHARED = [
  AnswersInFlight,
  DictionaryFollower,
  DocumentFrequencies,
  DuplicateSearch,
  EventWriter,
  KnownRecords,
  PlaceAnswers,
  PlaceImport,
  PlaceLists,
  PlaceTurns,
  RecordAccess,
  SearchContexts,
  SearchCounts,
  SearchExplanation,
  SearchService,
  StoredAccess,
  UploadRemoval,
  Uploads,
  WholeEvents,
  WriterMetrics,
];

/**
 * Records, their search, the writer, files and places, for the routes and the command line. Needs the global
 * `DatabaseModule` and global providers of `CONFIG`, `Capacities` and `Refusals`. The writer publishes if there is a
 * global `Publisher`, and posts requested actions if there is an `Outgoing`.
 */
@Module({
  imports: [AuditModule, AuthModule],
  providers: [
    {
      provide: Cursors,
      useFactory: (config: Config) => new Cursors(secretsKeyOf(config), previousSecretsKeyOf(config)),
      inject: [CONFIG],
    },
    { provide: FileStore, useFactory: (config: Config) => createFileStore(config), inject: [CONFIG] },
    KnownAreas,
    RegistrationNumbers,
    SearchAdmission,
    SearchPlanner,
    SearchRepository,
    ...SHARED,
  ],
  exports: [FileStore, ...SHARED],
})
export class EventsModule {}
