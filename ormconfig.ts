import { createDataSource } from './src/platform/database/schema/data-source.js';

/**
 * The data source of TypeORM's command line, which needs `DATABASE_URL`:
 * `npx tsx node_modules/typeorm/cli.js migration:show -d ormconfig.ts`.
 */
export default createDataSource(process.env.DATABASE_URL ?? '', 2);
