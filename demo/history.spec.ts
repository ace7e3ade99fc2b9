import type { CalendarDate } from '../src/kernel/domain/calendar.js';
import type { DemoAction, DemoDocument } from './demo-line.js';
import { demoRecords } from './demo-records.js';

const UNTIL = '2025-10-31' as CalendarDate;

const documents = [...demoRecords({ seed: 1, count: 4_000, until: UNTIL })].filter(
  (line): line is DemoDocument => 'actions' in line,
);
const actions = documents.flatMap((document) => document.actions);

/** What may be asked for in each state, by records' own rules; flags change it below. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  '': ['CREATE'],
  CREATED: ['DECLARE', 'NOTIFY'],
  NOTIFIED: ['EDIT', 'ARCHIVE', 'REJECT', 'CUSTOM'],
  DECLARED: ['REGISTER', 'MARK_AS_DUPLICATE', 'MARK_AS_NOT_DUPLICATE', 'ARCHIVE', 'REJECT', 'CUSTOM', 'EDIT'],
  REGISTERED: ['PRINT_CERTIFICATE', 'REQUEST_CORRECTION', 'APPROVE_CORRECTION', 'REJECT_CORRECTION', 'CUSTOM'],
  ARCHIVED: [],
};
const FREE = ['READ', 'ASSIGN', 'UNASSIGN', 'DUPLICATE_DETECTED'];
const STATUS_AFTER: Readonly<Record<string, string>> = {
  CREATE: 'CREATED',
  NOTIFY: 'NOTIFIED',
  DECLARE: 'DECLARED',
  REGISTER: 'REGISTERED',
  ARCHIVE: 'ARCHIVED',
};
/** Flag, what raises it, what lowers it. */
const FLAGS: readonly (readonly [flag: string, raisedBy: string, loweredBy: readonly string[]])[] = [
  ['rejected', 'REJECT', ['EDIT']],
  ['edit-in-progress', 'EDIT', ['DECLARE']],
  ['potential-duplicate', 'DUPLICATE_DETECTED', ['MARK_AS_DUPLICATE', 'MARK_AS_NOT_DUPLICATE']],
  ['correction-requested', 'REQUEST_CORRECTION', ['APPROVE_CORRECTION', 'REJECT_CORRECTION']],
];

function isAllowed(type: string, status: string, flags: ReadonlySet<string>): boolean {
  if (FREE.includes(type)) return true;
  if (flags.has('edit-in-progress')) return type === 'DECLARE';
  if (flags.has('rejected')) return type === 'EDIT' || type === 'ARCHIVE';
  if (flags.has('potential-duplicate') !== type.startsWith('MARK_AS_')) return false;
  const answersCorrection = type === 'APPROVE_CORRECTION' || type === 'REJECT_CORRECTION';
  if (flags.has('correction-requested') !== answersCorrection) return false;
  return ALLOWED[status]?.includes(type) === true;
}

/** The first action of a history that its state does not allow. */
function firstForbidden({ actions }: DemoDocument): DemoAction | undefined {
  let status = '';
  const flags = new Set<string>();
  for (const action of actions) {
    const { type, originalActionId } = action;
    if (originalActionId === undefined && !isAllowed(type, status, flags)) return action;
    if (action.status !== 'Accepted') continue;
    status = STATUS_AFTER[type] ?? status;
    for (const [flag, raisedBy, loweredBy] of FLAGS) {
      if (type === raisedBy) flags.add(flag);
      if (loweredBy.includes(type)) flags.delete(flag);
    }
  }
  return undefined;
}

describe('the histories of the demonstration country', () => {
  it('take no action that the state of the record does not allow', () => {
    expect(documents.map(firstForbidden).filter((action) => action !== undefined)).toEqual([]);
  });

  it('tell their actions in the order of time, from the creation to the last change', () => {
    for (const { createdAt, updatedAt, actions } of documents) {
      const times = actions.map((action) => action.createdAt);
      expect(times).toEqual([...new Set(times)].sort());
      expect([times[0], times.at(-1)]).toEqual([createdAt, updatedAt]);
      expect(updatedAt <= `${UNTIL}T23:59:59.999Z`).toBe(true);
    }
  });

  it('answer a request of their own, with an action of its type', () => {
    for (const { actions } of documents) {
      const requests = new Map(actions.map((action) => [action.id as string, action]));
      for (const { type, originalActionId, requestId } of actions) {
        if (typeof originalActionId === 'string') {
          expect(requests.get(originalActionId)).toMatchObject({ type, status: 'Requested' });
        }
        if (typeof requestId === 'string') {
          expect(requests.get(requestId)).toMatchObject({ type: 'REQUEST_CORRECTION', status: 'Accepted' });
        }
      }
    }
  });

  it('hold every kind of action with what belongs to it', () => {
    const find = (type: string, status = 'Accepted'): DemoAction | undefined =>
      actions.find((action) => action.type === type && action.status === status);
    expect(find('NOTIFY')).toBeDefined();
    expect(find('REGISTER', 'Requested')).not.toHaveProperty('registrationNumber');
    expect(find('REGISTER', 'Rejected')).toMatchObject({ createdByUserType: 'system' });
    expect(actions.filter((action) => action.type === 'REGISTER' && action.status === 'Accepted')).toEqual(
      expect.not.arrayContaining([expect.not.objectContaining({ registrationNumber: expect.any(String) as string })]),
    );
    expect(find('PRINT_CERTIFICATE')?.content?.templateId).toMatch(/-(?:certificate|certified-copy)$/);
    expect(find('REJECT')?.content?.reason).toEqual(expect.any(String));
    expect(find('ARCHIVE')?.content?.reason).toEqual(expect.any(String));
    expect(find('REQUEST_CORRECTION')?.annotation).toHaveProperty(['correction.reason']);
    expect(find('APPROVE_CORRECTION')?.requestId).toEqual(expect.any(String));
    expect(find('REJECT_CORRECTION')?.content?.reason).toEqual(expect.any(String));
    expect(find('DUPLICATE_DETECTED')?.content?.duplicates).toHaveLength(1);
    expect(find('MARK_AS_DUPLICATE')?.content?.duplicateOf).toEqual(expect.any(String));
    expect(find('MARK_AS_NOT_DUPLICATE')).toBeDefined();
    expect(find('EDIT')?.content?.comment).toEqual(expect.any(String));
    expect(find('CUSTOM')?.customActionType).toEqual(expect.any(String));
    expect(find('ASSIGN')?.assignedTo).toEqual(expect.any(String));
    expect(find('UNASSIGN')).toBeDefined();
    expect(find('READ')).toBeDefined();
  });

  it('are taken by a few hundred users of every role, and by system clients for health facilities', () => {
    const roles = new Set(actions.map(({ createdByRole }) => createdByRole));
    expect([...roles].sort()).toEqual([
      'COMMUNITY_LEADER',
      'HEALTH_OFFICER',
      'LOCAL_REGISTRAR',
      'NATIONAL_REGISTRAR',
      'PROVINCIAL_REGISTRAR',
      'REGISTRATION_AGENT',
      undefined,
    ]);
    const users = actions.filter(({ createdByUserType }) => createdByUserType === 'user');
    expect(new Set(users.map(({ createdBy }) => createdBy)).size).toBeGreaterThan(300);
    const systems = actions.filter(({ createdByUserType }) => createdByUserType === 'system');
    expect(systems.some(({ type }) => type === 'NOTIFY')).toBe(true);
    expect(systems.filter(({ createdByRole }) => createdByRole !== undefined)).toEqual([]);
  });

  it('name as duplicates records that are there', () => {
    const trackingIds = new Map(
      [...demoRecords({ seed: 1, count: 4_000, until: UNTIL })].map(({ id, trackingId }) => [id, trackingId]),
    );
    const duplicates = actions.flatMap(({ content }) => content?.duplicates ?? []);
    expect(duplicates.length).toBeGreaterThan(20);
    for (const { id, trackingId } of duplicates) expect(trackingIds.get(id)).toBe(trackingId);
  });
});
