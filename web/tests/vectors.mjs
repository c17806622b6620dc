// The rules as data: the cases of Tests/Vectors, or of the folder that REFERRAL_VECTORS names.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.env.REFERRAL_VECTORS || fileURLToPath(new URL('../../Tests/Vectors', import.meta.url));

export const vectors = name => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
