import { Module } from '@nestjs/common';

import { AuditModule } from '../audit/audit.module.js';
import { previousSecretsKeyOf, secretsKeyOf } from '../auth/secrets-key.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.js';
import { KnownAreas } from '../derived/areas/known-areas.js';
import { PlaceImport } from '../derived/areas/place-import.js';
import { DictionaryFollower } from '../derived/near-words/dictionary-follower.js';
import { DocumentFrequencies } from '../derived/statistics/document-frequencies.js';
import { LocationsModule } from '../locations/locations.module.js';
import { WholeEvents } from '../records/whole-events.js';
import { AnswersInFlight } from './admission/answers-in-flight.js';
import { SearchAdmission } from './admission/search-admission.js';
import { Cursors } from './cursor/cursors.js';
import { SearchCounts } from './counts/search-counts.js';
import { DuplicateSearch } from './duplicates/duplicate-search.js';
import { KnownRecords } from './duplicates/known-records.js';
import { SearchExplanation } from './explain/search-explanation.js';
import { RecordAccess } from './record-access.js';
import { SearchContexts } from './search-contexts.js';
import { SearchPlanner } from './search-planner.js';
import { SearchRepository } from './search.repository.js';
import { SearchService } from './search.service.js';
import { StoredAccess } from './stored-access.js';

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
