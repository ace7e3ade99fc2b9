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

it('a URL that paths are put after has no user, no query and no fragment, and is not printed with one', () => {
  const fault = 'has a user, a query (?) or a fragment (#); allowed: a URL without them';
  for (const given of ['https://x.example/#ours', 'http://x.example/a?key=1', 'http://u:s3cret@x.example']) {
    const faults = [`PUBLIC_URL: ${fault}`, `COUNTRY_CONFIG_URL: ${fault}`];
    expect(faultsOf({ PUBLIC_URL: given, COUNTRY_CONFIG_URL: given })).toEqual(faults);
  }
  expect(faultsOf({ PUBLIC_URL: 'https://x.example/@ours', COUNTRY_CONFIG_URL: 'http://x.example:81/a' })).toEqual([]);
});
