/** Plays all faults and writes what a user sees of them into the guide: `npm run faults`. */
import { writeFile } from 'node:fs/promises';
import { GUIDE, guideWith } from './guide.js';
import { playScenarios } from './playScenarios.js';
import { SCENARIOS } from './scenarios.js';

await writeFile(GUIDE, await guideWith(await playScenarios(SCENARIOS)));
