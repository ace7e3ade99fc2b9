import { type Caller, mayDo, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import { callerOf, faultOfScope, grantsOf, REGISTRATION_SCOPES } from './scope-permissions.js';
import type { Permission } from '../../kernel/domain/scopes/permission.js';

const permitted = (...scopes: readonly string[]): readonly Permission[] =>
  grantsOf(scopes, () => undefined).map(({ permission }) => permission);

const undecodable = (...scopes: readonly string[]): readonly string[] => {
  const found: string[] = [];
  grantsOf(scopes, (scope) => found.push(scope));
  return found;
};

function callerWith(...scope: readonly string[]): Caller {
  return callerOf({ sub: 'client', userType: 'system', scope }, () => undefined);
}

describe('grantsOf', () => {
  it.each([
    ['NATIONAL_ID', ['record.search', 'record.read', 'webhook.subscribe']],
    ['HEALTH', ['record.create', 'record.notify', 'record.search', 'attachment.upload', 'webhook.subscribe']],
    ['EXTERNAL_VALIDATION', ['record.search', 'record.action.accept', 'record.action.reject']],
    ['RECORD_SEARCH', ['record.search', 'record.read']],
    ['WEBHOOK', ['webhook.subscribe']],
  ] as const)('permits what A-9 says to a client registered as %s', (registration, permissions) => {
    expect(permitted(...REGISTRATION_SCOPES[registration])).toEqual(permissions);
  });

  it('lets a national system administrator do what a system administrator does, and administers integrations, places and users', () => {
    expect(permitted('sysadmin')).toEqual(['sysadmin', 'record.import', 'record.search', 'record.read']);
    expect(permitted('natlsysadmin')).toEqual([
      'natlsysadmin',
      ...permitted('sysadmin'),
      'integration.create',
      'integration.audit.read',
      'location.edit',
      'record.reindex',
      'token.introspect',
      'user.create',
      'user.read',
      'user.update',
    ]);
  });

  it.each([
    'record.search',
    'record.read',
    'record.create',
    'record.notify',
    'record.declare',
    'record.edit',
    'record.register',
    'record.reject',
    'record.archive',
    'record.unarchive',
    'record.review-duplicates',
    'record.print-certified-copies',
    'record.request-correction',
    'record.correct',
    'record.revoke-registration',
    'record.reinstate-registration',
    'record.deactivate-registration',
    'record.reactivate-registration',
    'record.custom-action',
    'record.unassign-others',
    'record.import',
    'record.reindex',
    'record.action.accept',
    'record.action.reject',
    'attachment.upload',
    'location.edit',
    'integration.create',
    'integration.audit.read',
  ] as const)('permits %s alone to a scope of that type', (type) => {
    expect(permitted(type)).toEqual([type]);
    expect(permitted(`type=${type}`)).toEqual([type]);
  });

  it('carries the options of a scope', () => {
    expect(grantsOf(['type=record.notify&event=birth&placeOfEvent=location'], () => undefined)).toEqual([
      { permission: 'record.notify', options: { event: ['birth'], placeOfEvent: 'location' } },
    ]);
  });

  it('grants nothing to scopes that are unknown, or carry an option that their type does not take', () => {
    const scopes = [
      'demo',
      'RECORD.SEARCH',
      'constructor',
      'type=record.seal',
      'type=record.register&registeredBy=user',
      'type=record.declare&declaredBy=user',
      'type=record.read&customActionTypes=SEAL',
      'type=record.correct&templates=short',
      'type=record.search&event',
      'type=record.import&event=birth',
      'type=record.create&status=DECLARED',
      'type=record.action.accept&placeOfEvent=location',
      'type=natlsysadmin&event=birth',
      'nationalId[event=birth]',
    ];
    expect(permitted(...scopes)).toEqual([]);
    expect(undecodable(...scopes)).toEqual(scopes);
  });

  it('keeps what the other scopes grant', () => {
    expect(permitted('demo', 'webhook')).toEqual(['webhook.subscribe']);
    expect(undecodable('demo', 'webhook')).toEqual(['demo']);
  });
});

describe('faultOfScope', () => {
  it.each([
    ['type=record.search&event=birth', undefined],
    ['workqueue[id=all]', undefined],
    ['type=record.serch', '"record.serch" is no type of scope'],
    ['event=birth', 'it needs one type, as in type=record.search'],
    ['type=record.search&birth', '"birth" is not of the form name=value'],
    ['type=record.search&status=DECLARED,OPEN', 'status cannot be "DECLARED,OPEN"'],
    ['type=record.search&event=a%20b', 'event cannot be "a%20b"'],
    ['type=record.search&event=birth&event=death', 'event is given twice'],
    ['search[event=birth,role=x,of=me]', '"of" is no option; options are event, access, role, id'],
    ['type=record.notify&status=DECLARED', 'record.notify does not take status; it takes event, placeOfEvent'],
    ['type=sysadmin&event=birth', 'sysadmin does not take event; it takes none'],
  ])('of %s', (scope, fault) => {
    expect(faultOfScope(scope)).toBe(fault);
  });
});

describe('reachOf', () => {
  it('is every record for an unrestricted scope, also beside a restricted one', () => {
    expect(rowFilterOf(callerWith('type=record.search&event=birth', 'record.search'), 'record.search')).toBe(
      'everything',
    );
    expect(rowFilterOf(callerWith('search[event=birth,access=all]', 'recordsearch'), 'record.search')).toBe(
      'everything',
    );
    expect(rowFilterOf(callerWith('type=record.search&placeOfEvent=all'), 'record.search')).toBe('everything');
  });

  it('is what one of the restricted scopes admits', () => {
    expect(
      rowFilterOf(callerWith('type=record.search&event=birth', 'type=record.search&event='), 'record.search'),
    ).toEqual([{ event: ['birth'] }, { event: [] }]);
  });

  it('leaves out scopes that do not permit what is to be done, and says nothing of it about records', () => {
    const caller = callerWith(
      'type=record.custom-action&customActionTypes=SEAL',
      'type=record.custom-action&customActionTypes=ISSUE&event=birth',
    );
    const of = (customActionType?: string) => rowFilterOf(caller, 'record.custom-action', { customActionType });
    expect([of('SEAL'), of('ISSUE'), of('UNSEAL'), of()]).toEqual(['everything', [{ event: ['birth'] }], [], []]);
  });

  it('is nothing without a scope for the permission', () => {
    const caller = callerWith('type=record.read&event=birth');
    expect(rowFilterOf(caller, 'record.search')).toEqual([]);
    expect(mayDo(caller, 'record.search')).toBe(false);
  });
});
