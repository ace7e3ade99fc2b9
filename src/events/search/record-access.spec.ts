import { aLegalStatus, aRegisteredStatus } from '../../../test/support/builders/a-legal-status.js';
import { aRecord } from '../../../test/support/builders/a-record.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { callerOf } from '../../auth/access/scope-permissions.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { Hierarchy } from '../../auth/locations/hierarchy-cache.js';
import { RecordAccess } from './stored-access.js';

/** An office in a district of a province. */
const [PROVINCE, DISTRICT, OFFICE] = [aUuid(1), aUuid(2), aUuid(3)];
const hierarchy = new Hierarchy([
  { id: PROVINCE, partOf: null },
  { id: DISTRICT, partOf: PROVINCE },
  { id: OFFICE, partOf: DISTRICT },
  { id: aUuid(4), partOf: DISTRICT },
  { id: aUuid(5), partOf: null },
]);
const access = new RecordAccess(hierarchy);

const SEARCH_NOT_SEALED = 'type=record.search&flags.noneOf=sealed';

function callerWith(...scope: readonly string[]) {
  return callerOf({ sub: 'client', userType: 'user', scope }, () => undefined);
}

const birth = { record: aRecord({ type: 'birth', status: 'NOTIFIED', flags: ['incomplete'] }), notified: undefined };

describe('RecordAccess', () => {
  it.each<[string, readonly Permission[], readonly string[], boolean]>([
    ['an unrestricted scope', ['record.read'], ['type=record.read'], true],
    ['another permission', ['record.read'], ['type=record.search'], false],
    ['one of several permissions', ['record.declare', 'record.register'], ['type=record.register'], true],
    ['the type of the event', ['record.read'], ['type=record.read&event=death,birth'], true],
    ['another type of event', ['record.read'], ['type=record.read&event=death'], false],
    ['one of two scopes', ['record.read'], ['type=record.read&event=death', 'type=record.read&status=NOTIFIED'], true],
    ['a status', ['record.read'], ['type=record.read&status=REGISTERED'], false],
    ['a flag that it must not have', ['record.read'], ['type=record.read&flags.noneOf=incomplete'], false],
    [
      'a jurisdiction, for a caller without an office',
      ['record.read'],
      ['type=record.read&placeOfEvent=location'],
      false,
    ],
    ['another notifier', ['record.read'], ['type=record.read&notifiedBy=user'], false],
  ])('decides by %s', (_, permissions, scopes, expected) => {
    expect(access.covers(callerWith(...scopes), permissions, birth)).toBe(expected);
  });

  it('restricts a caller with one event to it', () => {
    const only = (onlyEvent: Uuid) =>
      callerOf({ sub: 'matricula', userType: 'system', scope: ['record.read'], onlyEvent }, () => undefined);
    expect(access.covers(only(birth.record.id), ['record.read'], birth)).toBe(true);
    expect(access.covers(only(birth.record.id), ['record.register'], birth)).toBe(false);
    expect(access.covers(only(aUuid(9)), ['record.read'], birth)).toBe(false);
  });

  it('knows who notified the record', () => {
    const caller = callerWith('type=record.read&notifiedBy=user');
    const notified = { createdBy: 'client', createdAtLocation: null };
    expect(access.covers(caller, ['record.read'], { ...birth, notified })).toBe(true);
  });

  it.each(['declaredBy', 'registeredBy'])('compares the kind of the author with the id: %s', (option) => {
    const by = (createdByUserType: 'user' | 'system' | null) => ({
      record: aRecord({
        legalStatuses: {
          DECLARED: aLegalStatus({ createdBy: 'client', createdByUserType }),
          REGISTERED: aRegisteredStatus({ createdBy: 'client', createdByUserType }),
        },
      }),
      notified: undefined,
    });
    const caller = callerWith(`type=record.read&${option}=user`);
    const client = { ...caller, userType: 'system' } as const;
    const kinds = ['user', null, 'system'] as const;
    expect(kinds.map((kind) => access.covers(caller, ['record.read'], by(kind)))).toEqual([true, true, false]);
    expect(kinds.map((kind) => access.covers(client, ['record.read'], by(kind)))).toEqual([false, false, true]);
  });

  it('looks at the custom action and the template that a scope permits', () => {
    const caller = callerWith(
      'type=record.custom-action&customActionTypes=SEAL,UNSEAL',
      'type=record.print-certified-copies&templates=short',
    );
    const custom = (customActionType: string) =>
      access.covers(caller, ['record.custom-action'], birth, { customActionType });
    expect([custom('SEAL'), custom('OTHER')]).toEqual([true, false]);
    const print = (template?: string) => access.covers(caller, ['record.print-certified-copies'], birth, { template });
    expect([print('short'), print('long'), print()]).toEqual([true, false, false]);
  });

  it.each<[string, readonly string[], boolean]>([
    ['search and read both exclude its flag', [SEARCH_NOT_SEALED, 'type=record.read&flags.noneOf=sealed,x'], false],
    ['it excludes its flag from the only search', [SEARCH_NOT_SEALED], false],
    ['one search does not exclude it', [SEARCH_NOT_SEALED, 'type=record.search&event=death'], true],
    ['one may read it', [SEARCH_NOT_SEALED, 'type=record.read'], true],
    ['nothing is searched or read', [], true],
  ])('hides a record from scopes that cannot exclude flags: %s', (_, scopes, expected) => {
    const sealed = { record: aRecord({ flags: ['sealed'] }), notified: undefined };
    const caller = callerWith('type=record.notify', 'type=record.correct', ...scopes);
    expect(access.covers(caller, ['record.notify'], sealed)).toBe(expected);
    // Where scopes can exclude flags, they say so themselves.
    expect(access.covers(caller, ['record.correct'], sealed)).toBe(true);
  });

  it('answers as if a record that is not covered did not exist', () => {
    const refused = new ServiceError('NOT_FOUND', `Event not found with ID: ${birth.record.id}`);
    const requireFor = (scope: string) => () => {
      access.require(callerWith(scope), ['record.read'], birth);
    };
    expect(requireFor('type=record.read&event=death')).toThrow(refused);
    expect(requireFor('type=record.read')).not.toThrow();
  });
});

describe('a jurisdiction, for a caller with an office', () => {
  const atOffice = (office: Uuid, scope: string) => {
    return callerOf({ sub: 'clerk', userType: 'user', scope: [scope], office }, () => undefined);
  };
  const done = (where: Uuid | null) => ({
    record: aRecord({
      placeOfEvent: where,
      legalStatuses: {
        DECLARED: aLegalStatus({ createdAtLocation: where }),
        REGISTERED: aRegisteredStatus({ createdAtLocation: where }),
      },
    }),
    notified: { createdBy: 'hospital', createdAtLocation: where },
  });
  const COLLEAGUE = aUuid(4);
  const AT_THE_TOP = aUuid(5);
  const UNKNOWN = aUuid(6);

  it.each(['placeOfEvent', 'declaredIn', 'registeredIn', 'notifiedIn'])('by %s is resolved to places', (option) => {
    const covers = (office: Uuid, jurisdiction: string, where: Uuid | null): boolean =>
      access.covers(atOffice(office, `type=record.read&${option}=${jurisdiction}`), ['record.read'], done(where));
    const seen = (office: Uuid, jurisdiction: string) =>
      [OFFICE, COLLEAGUE, DISTRICT, PROVINCE, AT_THE_TOP, null].map((where) => covers(office, jurisdiction, where));
    expect(seen(OFFICE, 'location')).toEqual([true, false, false, false, false, false]);
    expect(seen(OFFICE, 'administrativeArea')).toEqual([true, true, true, false, false, false]);
    expect(seen(AT_THE_TOP, 'location')).toEqual([false, false, false, false, true, false]);
    expect(seen(AT_THE_TOP, 'administrativeArea')).toEqual([true, true, true, true, true, true]);
    for (const jurisdiction of ['location', 'administrativeArea'])
      expect(seen(UNKNOWN, jurisdiction)).toEqual([false, false, false, false, false, false]);
  });

  it('is one option among others, all of which must hold', () => {
    const caller = atOffice(AT_THE_TOP, 'type=record.read&declaredIn=administrativeArea&event=death');
    expect(access.covers(caller, ['record.read'], done(OFFICE))).toBe(false);
  });
});
