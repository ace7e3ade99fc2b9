import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly shm_size?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

const { services } = parse(readFileSync('docker/compose.yml', 'utf8')) as { services: Record<string, Service> };

describe('docker/compose.yml', () => {
  it('has no default for a secret, and puts none into a URL', () => {
    const secrets = [services.matricula, services.postgres].flatMap((service) =>
      Object.entries(service?.environment ?? {}).filter(([, value]) => /PASSWORD|SECRETS_KEY/.test(value)),
    );
    expect(Object.fromEntries(secrets)).toEqual({
      DATABASE_PASSWORD: '${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}',
      POSTGRES_PASSWORD: '${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}',
      SECRETS_KEY: '${SECRETS_KEY:?set SECRETS_KEY to the output of openssl rand -base64 32}',
    });
  });

  it('takes PostgreSQL for healthy only once it answers by TCP, not while the image still sets it up', () => {
    expect(services.postgres?.healthcheck?.test).toEqual([
      'CMD-SHELL',
      'pg_isready -h 127.0.0.1 -U matricula -d matricula',
    ]);
  });

  it('gives PostgreSQL more shared memory than the 64 MB that parallel queries run out of', () => {
    expect(services.postgres?.shm_size).toBe('1gb');
  });
});
