import { ConfigError, readConfig } from './read-config.js';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

it('a URL that paths are put after has no query and no fragment', () => {
  const given = { PUBLIC_URL: 'https://x.example/#ours', COUNTRY_CONFIG_URL: 'http://country.example/a?key=1' };
  expect(faultsOf(given)).toEqual([
    'PUBLIC_URL: is "https://x.example/#ours"; allowed: a URL without a query (?) and a fragment (#)',
    'COUNTRY_CONFIG_URL: is "http://country.example/a?key=1"; allowed: a URL without a query (?) and a fragment (#)',
  ]);
});

it.each(['US/Pacific-New', 'canada/east-saskatchewan', 'SystemV/PST8'])('%s is no time zone any more', (zone) => {
  const fault = `TIMEZONE: is "${zone}"; allowed: an IANA time zone such as Africa/Lusaka`;
  expect(faultsOf({ TIMEZONE: zone })).toEqual([fault]);
});
