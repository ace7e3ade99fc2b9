import { Module } from '@nestjs/common';
import { AuditModule } from '../platform/audit.module.js';
import { previousSecretsKeyOf, secretsKeyOf } from '../auth/secrets/secrets-key.js';
import { type Config, CONFIG } from '../platform/config/config.js';
import { KnownAreas } from './index/areas/known-areas.js';
import { PlaceImport } from './index/areas/place-import.js';
import { DictionaryFollower } from './index/near-words/dictionary-follower.js';
import { DocumentFrequencies } from './index/statistics/document-frequencies.js';
import { LocationsModule } from '../auth/locations.module.js';
import { WholeEvents } from './records/whole-events.js';
import { AnswersInFlight } from './search/admission/answers-in-flight.js';
import { SearchAdmission } from './search/admission/search-admission.js';
import { Cursors } from './search/request/cursors.js';
import { SearchCounts } from './search/counts/search-counts.js';
import { DuplicateSearch } from './search/duplicates/duplicate-search.js';
import { KnownRecords } from './search/duplicates/known-records.js';
import { SearchExplanation } from './search/explain/search-explanation.js';
import { RecordAccess } from './search/record-access.js';
import { SearchContexts } from './search/search-contexts.js';
import { SearchPlanner } from './search/search-planner.js';
import { SearchRepository } from './search/search.repository.js';
import { SearchService } from './search/search.service.js';
import { StoredAccess } from './search/stored-access.js';

/**
 * Searches, for the routes and the command line. Needs the global `DatabaseModule` and a global provider of `CONFIG`.
 */
@Module({
  imports: [AuditModule, LocationsModule],
  providers: [
    AnswersInFlight,
    {
      provide: Cursors,
      useFactory: (config: Config) => new Cursors(secretsKeyOf(config), previousSecretsKeyOf(config)),
      inject: [CONFIG],
    },
    DictionaryFollower,
    DocumentFrequencies,
    DuplicateSearch,
    KnownAreas,
    KnownRecords,
    PlaceImport,
    RecordAccess,
    SearchAdmission,
    SearchContexts,
    SearchCounts,
    SearchExplanation,
    SearchPlanner,
    SearchRepository,
    SearchService,
    StoredAccess,
    WholeEvents,
  ],
  exports: [
    AnswersInFlight,
    DictionaryFollower,
    DocumentFrequencies,
    DuplicateSearch,
    KnownRecords,
    PlaceImport,
    RecordAccess,
    SearchContexts,
    SearchCounts,
    SearchExplanation,
    SearchService,
    StoredAccess,
    WholeEvents,
  ],
})
export class SearchModule {}
