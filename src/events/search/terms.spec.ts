import type { CalendarDate, Instant } from '../../domain/calendar.js';
import type { EventRecord } from '../../domain/event-record.js';
import type { Uuid } from '../../domain/uuid.js';
import type { DataAspect } from './terms.js';
import { DATA, dataTerm, facetTerm, memberOf, termsOf } from './terms.js';

const OFFICE = '0f5e4b2e-6f1c-4c1e-9b57-1a2b3c4d5e6f' as Uuid;
const AREA = '1f5e4b2e-6f1c-4c1e-9b57-1a2b3c4d5e6f' as Uuid;
const AT = '2024-02-03T04:05:06.007Z' as Instant;

const record: EventRecord = {
  id: '2f5e4b2e-6f1c-4c1e-9b57-1a2b3c4d5e6f' as Uuid,
  type: 'birth',
  status: 'DECLARED',
  legalStatuses: {
    DECLARED: {
      createdAt: AT,
      createdBy: 'u-1',
      createdAtLocation: AREA,
      createdByUserType: 'user',
      acceptedAt: AT,
      createdByRole: 'CLERK',
    },
    REGISTERED: null,
  },
  createdAt: AT,
  dateOfEvent: '2024-02-20' as CalendarDate,
  placeOfEvent: AREA,
  createdBy: 'u-1',
  createdByUserType: 'system',
  updatedByUserRole: 'REGISTRAR',
  createdAtLocation: OFFICE,
  updatedAtLocation: AREA,
  updatedAt: AT,
  assignedTo: null,
  updatedBy: 'u-2',
  trackingId: 'K3PZ9A',
  potentialDuplicates: [],
  flags: ['incomplete', 'sealed'],
  declaration: {
    'child.name': { firstname: 'Ama', surname: 'Kofi' },
    'child.dob': '2024-02-20',
    weight: 3.5,
    stay: { start: '2024-01-01', end: '2024-01-02' },
    'child.address': { country: 'FAR', addressType: 'DOMESTIC', administrativeArea: AREA },
    note: 'Born at home',
    email: 'Ama@post.example',
  },
};

const at = (...keys: string[]) => keys.reduce(memberOf, DATA);
const term = (keys: string[], aspect: DataAspect, value: string): bigint => dataTerm(at(...keys), aspect, value);

describe('termsOf', () => {
  it('gives the facets of the metadata and the aspects of every value of the declaration', () => {
    expect(termsOf(record)).toEqual([
      facetTerm('type', 'birth'),
      facetTerm('status', 'DECLARED'),
      facetTerm('flag', 'incomplete'),
      facetTerm('flag', 'sealed'),
      facetTerm('createdBy', 'u-1'),
      facetTerm('createdByUserType', 'system'),
      facetTerm('createdAtLocation', OFFICE),
      facetTerm('updatedBy', 'u-2'),
      facetTerm('updatedByUserRole', 'REGISTRAR'),
      facetTerm('updatedAtLocation', AREA),
      facetTerm('declaredByRole', 'CLERK'),
      facetTerm('declaredAtLocation', AREA),
      term(['child.name'], 'word', 'ama'),
      term(['child.name'], 'word', 'kofi'),
      term(['child.name', 'firstname'], 'text', 'ama'),
      term(['child.name', 'surname'], 'text', 'kofi'),
      term(['child.dob'], 'text', '2024-02-20'),
      term(['child.dob'], 'month', '2024-02'),
      term(['child.dob'], 'hasDate', ''),
      term(['weight'], 'number', '3.5'),
      term(['weight'], 'hasNumber', ''),
      term(['stay'], 'hasDateRange', ''),
      term(['stay', 'start'], 'text', '2024-01-01'),
      term(['stay', 'start'], 'month', '2024-01'),
      term(['stay', 'start'], 'hasDate', ''),
      term(['stay', 'end'], 'text', '2024-01-02'),
      term(['stay', 'end'], 'month', '2024-01'),
      term(['stay', 'end'], 'hasDate', ''),
      term(['child.address'], 'location', AREA),
      term(['child.address'], 'country', 'far'),
      term(['child.address', 'country'], 'text', 'far'),
      term(['child.address', 'addressType'], 'text', 'domestic'),
      term(['child.address', 'administrativeArea'], 'text', AREA),
      term(['child.address', 'administrativeArea'], 'digit', '1'),
      term(['child.address', 'administrativeArea'], 'location', AREA),
      term(['child.address', 'administrativeArea'], 'hasId', ''),
      term(['note'], 'text', 'born at home'),
      term(['note'], 'word', 'born'),
      term(['note'], 'word', 'at'),
      term(['note'], 'word', 'home'),
      term(['email'], 'text', 'ama@post.example'),
    ]);
  });
});

describe('terms', () => {
  it('spell out field, aspect and value', () => {
    const terms = [facetTerm('status', 'x'), facetTerm('type', 'x')];
    for (const path of [at('a'), at('b'), at('a', 'b')]) {
      for (const value of ['x', 'y']) terms.push(dataTerm(path, 'text', value), dataTerm(path, 'word', value));
    }
    expect(new Set(terms).size).toBe(terms.length);
  });

  it('are the same for ever', () => {
    expect([facetTerm('status', 'REGISTERED'), term(['child.name'], 'word', 'musonda')]).toEqual([
      -6243793551222042100n,
      -8537569910089861494n,
    ]);
  });
});
