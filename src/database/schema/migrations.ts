import { InitialSchema1764000000000 } from '../migrations/1764000000000-initial-schema.js';
import { FuzzyWords1764050000000 } from '../migrations/1764050000000-fuzzy-words.js';
import { Webhooks1764100000000 } from '../migrations/1764100000000-webhooks.js';
import { Terms1764150000000 } from '../migrations/1764150000000-terms.js';
import { Facets1764200000000 } from '../migrations/1764200000000-facets.js';
import { DeadDeliveries1764250000000 } from '../migrations/1764250000000-dead-deliveries.js';
import { FuzzyWordLists1764300000000 } from '../migrations/1764300000000-fuzzy-word-lists.js';
import { CoveringIndexes1764350000000 } from '../migrations/1764350000000-covering-indexes.js';
import { AreaTerms1764400000000 } from '../migrations/1764400000000-area-terms.js';
import { DerivedVersion1764600000000 } from '../migrations/1764600000000-derived-version.js';
import { SubscriptionRevisions1764700000000 } from '../migrations/1764700000000-subscription-revisions.js';
import { ClientWebhookFormat1764710000000 } from '../migrations/1764710000000-client-webhook-format.js';
import { ShaSecretGenerations1764720000000 } from '../migrations/1764720000000-sha-secret-generations.js';
import { LaneHolders1764800000000 } from '../migrations/1764800000000-lane-holders.js';
import { AuditLog1764900000000 } from '../migrations/1764900000000-audit-log.js';
import { KeptKey1764910000000 } from '../migrations/1764910000000-kept-key.js';
import { Operations1765100000000 } from '../migrations/1765100000000-operations.js';
import { PlaceVersions1765200000000 } from '../migrations/1765200000000-place-versions.js';
import { Uploads1765300000000 } from '../migrations/1765300000000-uploads.js';
import { Integrations1765400000000 } from '../migrations/1765400000000-integrations.js';
import { ReindexRuns1765410000000 } from '../migrations/1765410000000-reindex-runs.js';
import { RegistrationNumbers1765500000000 } from '../migrations/1765500000000-registration-numbers.js';
import { Confirmations1765510000000 } from '../migrations/1765510000000-confirmations.js';
import { Users1766000000000 } from '../migrations/1766000000000-users.js';
import { NoticeFailures1766010000000 } from '../migrations/1766010000000-notice-failures.js';
import { WholeDocuments1766020000000 } from '../migrations/1766020000000-whole-documents.js';
import { JurisdictionIndexes1766030000000 } from '../migrations/1766030000000-jurisdiction-indexes.js';
import { RegisteredAlone1766050000000 } from '../migrations/1766050000000-registered-alone.js';
import { InitialLoad1766060000000 } from '../migrations/1766060000000-initial-load.js';
import { NumberBlocks1766070000000 } from '../migrations/1766070000000-number-blocks.js';
import { OneDocument1766080000000 } from '../migrations/1766080000000-one-document.js';
import { NameBlocks1766085000000 } from '../migrations/1766085000000-name-blocks.js';
import { EveryRecordAgain1766086000000 } from '../migrations/1766086000000-every-record-again.js';
import { RolesHeld1766087000000 } from '../migrations/1766087000000-roles-held.js';
import { FilesOfEvent1766088000000 } from '../migrations/1766088000000-files-of-event.js';
import { CompressedBitmaps1766089000000 } from '../migrations/1766089000000-compressed-bitmaps.js';
import { UpdateSlices1766090000000 } from '../migrations/1766090000000-update-slices.js';
import { KeepUpdateSlices1766100000000 } from '../migrations/1766100000000-keep-update-slices.js';
import { RenewedSubscriptions1766100100000 } from '../migrations/1766100100000-renewed-subscriptions.js';
import { SessionTokenLifetimes1766100400000 } from '../migrations/1766100400000-session-token-lifetimes.js';
import { BegunBitmaps1766100500000 } from '../migrations/1766100500000-begun-bitmaps.js';
import { NumberLetters1766100600000 } from '../migrations/1766100600000-number-letters.js';
import { EmailKeys1766100700000 } from '../migrations/1766100700000-email-keys.js';
import { CapitalSharpS1766100800000 } from '../migrations/1766100800000-capital-sharp-s.js';
import { UnicodeVersion1766100900000 } from '../migrations/1766100900000-unicode-version.js';
import { LanesOfActiveClients1766100910000 } from '../migrations/1766100910000-lanes-of-active-clients.js';
import { AuditDrops1766100920000 } from '../migrations/1766100920000-audit-drops.js';
import { AuditCounts1766100930000 } from '../migrations/1766100930000-audit-counts.js';
import { AuditPassedMonths1766100931000 } from '../migrations/1766100931000-audit-passed-months.js';
import { CallbackKeys1768000400000 } from '../migrations/1768000400000-callback-keys.js';
import { UsernameSkeletons1768000500000 } from '../migrations/1768000500000-username-skeletons.js';
import { UnnamedUploads1768000510000 } from '../migrations/1768000510000-unnamed-uploads.js';

/** Every migration, oldest first. */
export const MIGRATIONS = [
  InitialSchema1764000000000,
  FuzzyWords1764050000000,
  Webhooks1764100000000,
  Terms1764150000000,
  Facets1764200000000,
  DeadDeliveries1764250000000,
  FuzzyWordLists1764300000000,
  CoveringIndexes1764350000000,
  AreaTerms1764400000000,
  DerivedVersion1764600000000,
  SubscriptionRevisions1764700000000,
  ClientWebhookFormat1764710000000,
  ShaSecretGenerations1764720000000,
  LaneHolders1764800000000,
  AuditLog1764900000000,
  KeptKey1764910000000,
  Operations1765100000000,
  PlaceVersions1765200000000,
  Uploads1765300000000,
  Integrations1765400000000,
  ReindexRuns1765410000000,
  RegistrationNumbers1765500000000,
  Confirmations1765510000000,
  Users1766000000000,
  NoticeFailures1766010000000,
  WholeDocuments1766020000000,
  JurisdictionIndexes1766030000000,
  RegisteredAlone1766050000000,
  InitialLoad1766060000000,
  NumberBlocks1766070000000,
  OneDocument1766080000000,
  NameBlocks1766085000000,
  EveryRecordAgain1766086000000,
  RolesHeld1766087000000,
  FilesOfEvent1766088000000,
  CompressedBitmaps1766089000000,
  UpdateSlices1766090000000,
  KeepUpdateSlices1766100000000,
  RenewedSubscriptions1766100100000,
  SessionTokenLifetimes1766100400000,
  BegunBitmaps1766100500000,
  NumberLetters1766100600000,
  EmailKeys1766100700000,
  CapitalSharpS1766100800000,
  UnicodeVersion1766100900000,
  LanesOfActiveClients1766100910000,
  AuditDrops1766100920000,
  AuditCounts1766100930000,
  AuditPassedMonths1766100931000,
  CallbackKeys1768000400000,
  UsernameSkeletons1768000500000,
  UnnamedUploads1768000510000,
];
