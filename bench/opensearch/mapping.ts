import { encodedField, WORDS } from './document.js';

/** One index for each type of event, and one name for all, as OpenCRVS has them. */
export const indexOf = (type: string): string => `events_${type}`;
export const INDEXES = 'events_*';

type Mapping = Readonly<Record<string, unknown>>;

const KEYWORD: Mapping = { type: 'keyword' };
const DATE: Mapping = { type: 'date' };
const NUMBER: Mapping = { type: 'double' };
const TEXT: Mapping = { type: 'text' };
const WORDS_OF_NAMES: Mapping = { type: 'text', analyzer: 'classic' };

const properties = (of: Readonly<Record<string, Mapping>>): Mapping => ({ type: 'object', properties: of });
const all = (names: readonly string[], mapping: Mapping): Record<string, Mapping> =>
  Object.fromEntries(names.map((name) => [name, mapping]));

const NAME = properties(all(['firstname', 'middlename', 'surname', WORDS.name], WORDS_OF_NAMES));
const ADDRESS = properties({
  ...all(['country', 'addressType', 'administrativeArea'], KEYWORD),
  streetLevelDetails: properties(all(['town', 'street', 'number', 'zipCode'], KEYWORD)),
  [WORDS.address]: WORDS_OF_NAMES,
});
const LEGAL_STATUS = {
  ...all(['createdAt', 'acceptedAt'], DATE),
  ...all(['createdBy', 'createdByUserType', 'createdAtLocation', 'createdByRole'], KEYWORD),
};

/** What the fields of the nation's declarations are to OpenCRVS, by the end of their ids; all others are keywords. */
const FIELDS: readonly (readonly [end: RegExp, mapping: Mapping])[] = [
  [/\.name$/, NAME],
  [/\.address$/, ADDRESS],
  [/\.(dob|date)$/, DATE],
  [/\.(weightAtBirth|previousBirths|numberOfDependants)$/, NUMBER],
  [/\.description$/, TEXT],
  [/\.email$/, { ...KEYWORD, normalizer: 'lowercase' }],
];

const fieldOf = (id: string): Mapping => FIELDS.find(([end]) => end.test(id))?.[1] ?? KEYWORD;

/** The types of fields as OpenCRVS gives them to an index, one for each type of event. */
export const mappingOf = (fieldIds: readonly string[]): Mapping => ({
  properties: {
    ...all(['id', 'type', 'status', 'trackingId', 'flags'], KEYWORD),
    ...all(['createdBy', 'createdByUserType', 'updatedBy', 'updatedByUserRole', 'assignedTo'], KEYWORD),
    ...all(['createdAtLocation', 'updatedAtLocation', 'placeOfEvent'], KEYWORD),
    ...all(['createdAt', 'updatedAt', 'dateOfEvent'], DATE),
    legalStatuses: properties({
      DECLARED: properties(LEGAL_STATUS),
      REGISTERED: properties({ ...LEGAL_STATUS, registrationNumber: KEYWORD }),
    }),
    potentialDuplicates: properties(all(['id', 'trackingId'], KEYWORD)),
    declaration: properties(Object.fromEntries(fieldIds.map((id) => [encodedField(id), fieldOf(id)]))),
  },
});
