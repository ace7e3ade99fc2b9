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
  const scheme = 'has a value that cannot be used; allowed: a URL that begins with http:// or https://';
  expect(faultsOf({ PUBLIC_URL: 'htp://u:s3cret@x.example' })).toEqual([`PUBLIC_URL: ${scheme}`]);
  expect(faultsOf({ PUBLIC_URL: 'https://x.example/@ours', COUNTRY_CONFIG_URL: 'http://x.example:81/a' })).toEqual([]);
});

it('no URL is printed that may hold a secret, when it is refused', () => {
  const bucket = { S3_BUCKET: 'files' };
  for (const name of ['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT', 'LOGIN_URL']) {
    const scheme = 'allowed: a URL that begins with http:// or https://';
    for (const given of ['htp://u:s3cret@x.example', 'x.example?key=s3cret'])
      expect(faultsOf({ ...bucket, [name]: given })).toEqual([`${name}: has a value that cannot be used; ${scheme}`]);
    expect(faultsOf({ ...bucket, [name]: 'x.example' })).toEqual([`${name}: is "x.example"; ${scheme}`]);
  }
  const fault = 'has a user, a query (?) or a fragment (#); allowed: a URL without them';
  for (const name of ['S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT'])
    expect(faultsOf({ ...bucket, [name]: 'https://u:s3cret@x.example' })).toEqual([`${name}: ${fault}`]);
});

it('a page that users are led to has neither a user nor a password, which they would be sent', () => {
  expect(faultsOf({ LOGIN_URL: 'https://x.example/@ours/#/recover?lang=en' })).toEqual([]);
  const fault = 'LOGIN_URL: has a user or a password; allowed: a URL without them';
  for (const given of [
    'https://u:s3cret@x.example/recover',
    'https://u@x.example/#/recover?lang=en',
    'http://:p@x.example',
  ])
    expect(faultsOf({ LOGIN_URL: given })).toEqual([fault]);
});

it.each(['US/Pacific-New', 'canada/east-saskatchewan', 'SystemV/PST8'])('%s is no time zone any more', (zone) => {
  const fault = `TIMEZONE: is "${zone}"; allowed: an IANA time zone such as Africa/Lusaka`;
  expect(faultsOf({ TIMEZONE: zone })).toEqual([fault]);
});
