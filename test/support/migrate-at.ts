import { createDataSource } from '../../src/platform/database/schema/data-source.js';
import { migrate } from '../../src/platform/database/schema/prepare-database.js';

/** Migrates the schema of the database at `url` before anything else reads it; resolves with what ran (P-7). */
export async function migrateAt(url: string, onWait?: () => void): Promise<string[]> {
  const dataSource = await createDataSource(url, 2).initialize();
  try {
    return await migrate(dataSource, onWait);
  } finally {
    await dataSource.destroy();
  }
}
