import { ConfigError } from '../../platform/config/read-config.js';
import { DEFAULT_ROLES, Roles } from './roles.js';

const role = (id: string, ...scopes: readonly string[]) => ({ id, label: id, scopes });

describe('Roles', () => {
  it('are those that ship, unless a file names others', () => {
    expect(new Roles({ ROLES: undefined }).all.map(({ id }) => id)).toEqual(DEFAULT_ROLES.map(({ id }) => id));
    const roles = new Roles({ ROLES: [role('A', 'natlsysadmin'), role('B', 'type=record.read&event=birth')] });
    expect(roles.find('B')).toEqual({
      ...role('B', 'type=record.read&event=birth'),
      grants: [{ permission: 'record.read', options: { event: ['birth'] } }],
    });
    expect([roles.find('C'), roles.find('constructor'), roles.nationalAdministrators]).toEqual([
      undefined,
      undefined,
      ['A'],
    ]);
  });

  it('may have scopes of other services, and none that nobody knows', () => {
    expect(new Roles({ ROLES: [role('A', 'type=performance.read', 'type=workqueue&ids=recent')] }).all).toHaveLength(1);
    const faulty = [role('A', 'record.read'), role('B', 'record.seal', 'webhook', 'type=record.import&event=birth')];
    expect(() => new Roles({ ROLES: faulty })).toThrow(
      new ConfigError([
        'ROLES: [1].scopes[0]: "record.seal" is no scope of this service',
        'ROLES: [1].scopes[2]: "type=record.import&event=birth" is no scope of this service',
      ]),
    );
  });
});
