import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { WITHOUT_FORMS } from '../test/support/without-forms.js';
import { readEventTypes } from '../src/platform/config/read-event-configuration.js';
import { type CalendarDate, parseCalendarDate } from '../src/kernel/domain/calendar.js';
import type { EventDocument } from '../src/kernel/domain/event-action.js';
import type { EventRecord } from '../src/kernel/domain/event-record.js';
import type { Parsed } from '../src/kernel/input/readers.js';
import { faultsOfDeclaration } from '../src/events/records/faults-of-forms.js';
import { parseEventDocument } from '../src/events/records/parse-event-document.js';
import { parseEventRecord } from '../src/events/records/parse-event-record.js';
import { projectEvent } from '../src/events/records/project-event.js';
import type { DemoAction, DemoDocument, DemoLine } from './demo-line.js';
import { demoRecords, type DemoRecordsOptions } from './demo-records.js';

const day = (text: string): CalendarDate => {
  const date = parseCalendarDate(text);
  if (date === undefined) throw new Error(`${text} is no date`);
  return date;
};

const UNTIL = day('2025-10-31');
const draw = (options: Partial<DemoRecordsOptions> = {}): DemoLine[] => [
  ...demoRecords({ seed: 1, count: 2_000, until: UNTIL, ...options }),
];
const digest = (lines: readonly DemoLine[]): string => createHash('sha256').update(JSON.stringify(lines)).digest('hex');
const isDocument = (line: DemoLine): line is DemoDocument => 'actions' in line;
const share = (part: readonly unknown[], whole: readonly unknown[]): number => part.length / whole.length;

const STATUS_AFTER: Readonly<Record<string, string>> = {
  CREATE: 'CREATED',
  NOTIFY: 'NOTIFIED',
  DECLARE: 'DECLARED',
  REGISTER: 'REGISTERED',
  ARCHIVE: 'ARCHIVED',
};
const accepted = ({ actions }: DemoDocument): DemoAction[] => actions.filter(({ status }) => status === 'Accepted');
const statusOf = (line: DemoLine): string =>
  isDocument(line) ? accepted(line).reduce((status, { type }) => STATUS_AFTER[type] ?? status, '') : line.status;

function parsed<T>(outcome: Parsed<T>): T {
  if (outcome.kind === 'faulty') throw new Error(outcome.issues.map(({ message }) => message).join('\n'));
  return outcome.value;
}

const projected = (outcome: Parsed<EventDocument>): EventRecord => projectEvent(parsed(outcome), WITHOUT_FORMS).record;

describe('the records of the demonstration country', () => {
  const lines = draw();
  const documents = lines.filter(isDocument);

  it('are the same for the same seed, and others for another', () => {
    expect(digest(draw())).toBe(digest(lines));
    expect(digest(draw({ seed: 2 }))).not.toBe(digest(lines));
  });

  it('do not depend on how many there are or where one begins', () => {
    expect(draw({ count: 50 })).toEqual(lines.slice(0, 50));
    expect(draw({ from: 1_900, count: 100 })).toEqual(lines.slice(1_900));
    expect(draw({ count: 0 })).toEqual([]);
  });

  it('fit into the forms of the example of an event configuration', () => {
    const types = parsed(readEventTypes(readFileSync('examples/event-configuration.json', 'utf8')));
    for (const line of lines) {
      const type = types.get(line.type);
      const changes = isDocument(line) ? line.actions.map(({ declaration }) => declaration) : [line.declaration];
      for (const change of changes) {
        expect(type && faultsOfDeclaration(type, { action: 'NOTIFY', before: {}, change })).toEqual([]);
      }
    }
  });

  it('fail where there are no tracking ids left', () => {
    expect(() => draw({ from: 36 ** 6, count: 1 })).toThrow(RangeError);
  });

  it('are births, deaths and marriages, five of six with their history', () => {
    const ofType = (type: string): number =>
      share(
        lines.filter((line) => line.type === type),
        lines,
      );
    expect(ofType('birth')).toBeCloseTo(0.7, 1);
    expect(ofType('death')).toBeCloseTo(0.2, 1);
    expect(ofType('marriage')).toBeCloseTo(0.1, 1);
    expect(share(documents, lines)).toBeCloseTo(0.85, 1);
  });

  it('are in every status, most of them registered, what is left undone mostly recent', () => {
    const inStatus = (status: string): DemoLine[] => lines.filter((line) => statusOf(line) === status);
    expect(share(inStatus('REGISTERED'), lines)).toBeGreaterThan(0.8);
    for (const status of ['CREATED', 'NOTIFIED', 'DECLARED', 'ARCHIVED']) {
      expect(share(inStatus(status), lines)).toBeGreaterThan(0.004);
    }
    const notified = documents.filter((line) => statusOf(line) === 'NOTIFIED');
    expect(
      share(
        notified.filter(({ createdAt }) => createdAt > '2024-10-31'),
        notified,
      ),
    ).toBeGreaterThan(0.8);
  });

  it('are taken by the import without a fault, and say when and where the event was', () => {
    for (const line of lines) {
      const wire: unknown = JSON.parse(JSON.stringify(line));
      const record = isDocument(line) ? projected(parseEventDocument(wire)) : parsed(parseEventRecord(wire));
      expect(record.status).toBe(statusOf(line));
      if (!isDocument(line) || record.status === 'CREATED') continue;
      expect(record.dateOfEvent).not.toBeNull();
      expect(record.placeOfEvent).not.toBeNull();
    }
  });

  it('grow from year to year', () => {
    const arrived = (from: string, to: string): number =>
      lines.filter(({ createdAt }) => createdAt >= from && createdAt < to).length;
    expect(arrived('2015-11-01', '2017-11-01')).toBeGreaterThan(250);
    expect(arrived('2023-11-01', '2025-11-01')).toBeGreaterThan(arrived('2015-11-01', '2017-11-01') * 1.2);
    expect(arrived('2015-11-01', '2025-11-01')).toBe(lines.length);
  });

  it('share no id, tracking id, registration number or action', () => {
    const ids: string[] = [];
    const trackingIds: string[] = [];
    const numbers: string[] = [];
    const actionIds: string[] = [];
    for (const line of demoRecords({ seed: 4, count: 20_000, until: UNTIL })) {
      ids.push(line.id);
      trackingIds.push(line.trackingId);
      if (isDocument(line)) {
        actionIds.push(...line.actions.map(({ id }) => id));
        numbers.push(...line.actions.flatMap(({ registrationNumber }) => registrationNumber ?? []));
      } else if (line.legalStatuses.REGISTERED !== null) numbers.push(line.legalStatuses.REGISTERED.registrationNumber);
    }
    for (const keys of [ids, trackingIds, numbers, actionIds]) expect(new Set(keys).size).toBe(keys.length);
    expect(trackingIds.filter((trackingId) => !/^[0-9A-Z]{6}$/.test(trackingId))).toEqual([]);
  });
});
