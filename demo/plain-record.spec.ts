import type { CalendarDate } from '../src/kernel/domain/calendar.js';
import type { DemoRecord } from './demo-line.js';
import { demoRecords } from './demo-records.js';

const UNTIL = '2025-10-31' as CalendarDate;
const records = [...demoRecords({ seed: 1, count: 8_000, until: UNTIL })].filter(
  (line): line is DemoRecord => !('actions' in line),
);

const OPTIONAL = [
  'dateOfEvent',
  'placeOfEvent',
  'createdByUserType',
  'updatedByUserRole',
  'createdAtLocation',
  'updatedAtLocation',
  'assignedTo',
  'updatedBy',
] as const;

describe('the plain records of the demonstration country', () => {
  it('are in every status', () => {
    expect([...new Set(records.map(({ status }) => status))].sort()).toEqual([
      'ARCHIVED',
      'CREATED',
      'DECLARED',
      'NOTIFIED',
      'REGISTERED',
    ]);
  });

  it('become one thing after the other', () => {
    for (const { createdAt, updatedAt, dateOfEvent, legalStatuses } of records) {
      const times = [createdAt, legalStatuses.DECLARED?.acceptedAt, legalStatuses.REGISTERED?.acceptedAt, updatedAt];
      const reached = times.filter((time) => time !== undefined);
      expect(reached).toEqual([...reached].sort());
      expect(updatedAt <= `${UNTIL}T23:59:59.999Z`).toBe(true);
      expect((dateOfEvent ?? '') <= createdAt.slice(0, 10)).toBe(true);
    }
  });

  it('have the legal statuses that their status asks for', () => {
    for (const { status, legalStatuses } of records) {
      const isDeclared = ['DECLARED', 'REGISTERED', 'ARCHIVED'].includes(status);
      expect([legalStatuses.DECLARED !== null, legalStatuses.REGISTERED !== null]).toEqual([
        isDeclared,
        status === 'REGISTERED',
      ]);
    }
  });

  it('have flags of every kind', () => {
    const flags = new Set(records.flatMap((record) => record.flags));
    expect([...flags]).toEqual(
      expect.arrayContaining([
        'sealed',
        'late-registration',
        'register:requested',
        'incomplete',
        'correction-requested',
      ]),
    );
  });

  it('leave an optional field out, or say null, or have it', () => {
    for (const field of OPTIONAL) {
      expect(records.some((record) => !(field in record))).toBe(true);
      expect(records.some((record) => typeof record[field] === 'string')).toBe(true);
    }
    for (const field of ['dateOfEvent', 'placeOfEvent', 'updatedByUserRole', 'assignedTo'] as const) {
      expect(records.some((record) => record[field] === null)).toBe(true);
    }
  });

  it('hold no null in their declarations', () => {
    expect(records.filter(({ declaration }) => JSON.stringify(declaration).includes('null'))).toEqual([]);
  });

  it('list a potential duplicate exactly where the flag says so', () => {
    expect(records.some(({ flags }) => flags.includes('potential-duplicate'))).toBe(true);
    for (const { flags, potentialDuplicates } of records) {
      expect(potentialDuplicates.length > 0).toBe(flags.includes('potential-duplicate'));
    }
  });
});
