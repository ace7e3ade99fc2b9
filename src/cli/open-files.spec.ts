import { readConfig } from '../platform/config/read-config.js';
import { mostOpenFiles, requireOpenFiles } from './serve.command.js';

const config = readConfig({ MAX_CONNECTIONS: '400' });

describe('requireOpenFiles', () => {
  const told: unknown[] = [];
  beforeEach(() => {
    told.length = 0;
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => told.push(text) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('refuses a start that would end with the name of some module', () => {
    expect(() => {
      requireOpenFiles(config, 250);
    }).toThrow('The system lets this process have 250 files open, and it needs 1024: raise that (`ulimit -n`');
  });

  it('tells when there may be more connections than files', () => {
    requireOpenFiles(config, 1_311);
    expect(told.join('')).toContain('have 1311 files open; with MAX_CONNECTIONS=400 on each port it may need 1312.');
  });

  it.each([1_312, Infinity])('says nothing of %d', (most) => {
    requireOpenFiles(config, most);
    expect(told).toEqual([]);
  });
});

it.each([
  ['Max processes             63430   63430   processes\nMax open files            1024   524288   files\n', 1_024],
  ['Max open files            unlimited   unlimited   files', Infinity],
  ['', Infinity],
])('the limit in %j', (limits, most) => {
  expect(mostOpenFiles(limits)).toBe(most);
});
